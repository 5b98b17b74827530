"""Every page of the site and the letters that are looked at, as pictures: `make screenshots`."""
