"""What the tests of encryption share."""

from noosphere import Settings

KEY = 'an old brass key, "it\'s" 100 % ours'
QUIET = Settings(background=False)
