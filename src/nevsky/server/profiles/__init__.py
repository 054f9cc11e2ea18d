"""Profiles: guests who have something to sign in with. The id of the guest stays who they are everywhere."""
