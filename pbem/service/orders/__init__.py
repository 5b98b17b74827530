"""Orders taken by every door, judged, sealed, answered with a receipt."""
