"""What PuppetDB answers."""
