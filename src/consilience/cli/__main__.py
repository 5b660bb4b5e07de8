"""Run the command as `python -m consilience.cli`."""

from consilience.cli._main import main

if __name__ == "__main__":
    main()
