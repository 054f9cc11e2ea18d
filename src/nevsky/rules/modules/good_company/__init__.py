"""Module 2, Good Company (11.2): twelve cards with plain, variable and chosen income."""
