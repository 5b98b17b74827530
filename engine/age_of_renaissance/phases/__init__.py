"""The chapters of the rulebook, one module each: steps, questions, refusals and defaults."""
