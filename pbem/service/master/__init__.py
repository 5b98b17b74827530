"""What a game master may do, in one language for three doors: pages, letters, and the operator's command line.

`actions()` are all there are; `read` understands lines; `preview` says what they would do; `act` does them.
"""
