"""Let `python -m consilience.cli` be the command too."""

from consilience.cli._main import main

if __name__ == "__main__":
    main()
