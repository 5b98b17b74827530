"""The pages, with a real database and real keys behind them."""
