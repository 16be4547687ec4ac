"""Edge matching: see rules.py."""
