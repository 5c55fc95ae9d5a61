"""What all HTML pages share: templates, the style sheet, pictures with names of their own."""
