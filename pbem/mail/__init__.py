"""Mail, in and out: bytes to letters, letters to bytes, and the two ends of the wire."""
