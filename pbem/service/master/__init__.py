"""What a game master may do, in one language for three doors: pages, letters, and the operator's command line.

`doors`: `actions`, `read`, `preview`, `act`, and how letters and pages come in. `registry`: what an action is, and how
another one is added. `masters`: who masters a table. Nothing is imported here, so that each of them can be used alone.
"""
