"""What people ask for: typed requests in, events or results out, without printing."""
