"""A chapter becomes files. It knows chapters and beats, but no particular film."""
