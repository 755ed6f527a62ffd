"""How a line is spoken where it is written otherwise: symbols, formulas, tokens that are no words.

    spoken("W_Q of creature")  ->  "W sub Q of creature"
    spoken("rain, fore and st")  ->  "rain, fore and S T"

Numbers stay as they are: voices read them well. It knows nothing of pictures.
"""

import re
import unicodedata

SAID = {
    "W_Q": "W sub Q",
    "W_K": "W sub K",
    "W_V": "W sub V",
    "W_O": "W sub O",
    "e.g.": "for example",
    "\N{MINUS SIGN}": "minus ",
    "\N{INFINITY}": "infinity",
    "\N{MULTIPLICATION SIGN}": " times ",
    "\N{DOT OPERATOR}": " dot ",
    "\N{SQUARE ROOT}": "the root of ",
    "\N{RIGHTWARDS ARROW}": " to ",
    "\N{OPEN BOX}": " space ",
}
PLAIN = re.compile(r"[A-Za-z]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][A-Za-z]+)*")
VOWEL = re.compile("[aeiouy]", re.IGNORECASE)
BY_NUMBER = re.compile(r"⟨U\+([0-9A-F]+)⟩")  # how a character is shown that nobody could see
BYTE = re.compile(r"⟨([0-9A-F]{2})⟩")  # how a byte is shown that is no character
QUOTED = re.compile(  # a token that is nothing but signs
    "\N{LEFT DOUBLE QUOTATION MARK}([^\\w\\s]+)\N{RIGHT DOUBLE QUOTATION MARK}"
)
READ = re.compile(r"[\w\s.,:;!?'\"()%$+/&-]", re.ASCII)  # what voices read as it stands
QUOTES = str.maketrans(
    {
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": "",
        "\N{RIGHT DOUBLE QUOTATION MARK}": "",
        "\N{EM DASH}": ", ",
        "\N{EN DASH}": ", ",
    }
)


def spoken(text: str) -> str:
    """Return a text as a voice is to say it: no sign in it that it would leave out."""
    text = QUOTED.sub(lambda found: " ".join(map(_name, found[1])), text)
    for written, said in SAID.items():
        text = text.replace(written, said)
    text = BY_NUMBER.sub(lambda found: f"character {' '.join(found[1])}", text.translate(QUOTES))
    text = BYTE.sub(lambda found: f"byte {' '.join(found[1])}", text)
    text = "".join(map(_character, text))
    return " ".join(PLAIN.sub(lambda found: _word(found[0]), text).split())


def spelled(text: str) -> list[str]:
    """Return the words and signs of a text that a voice could only spell or name."""
    for written in SAID:
        text = text.replace(written, " ")
    text = text.translate(QUOTES)
    signs = [sign for sign in text if not READ.fullmatch(sign)]
    words = [word for word in PLAIN.findall(text) if _word(word) != word]
    return list(dict.fromkeys([*words, *signs]))


def _word(word: str) -> str:
    """Return a word, or its letters if nobody could say it as one."""
    if len(word) == 1 or VOWEL.search(word) or word.isupper() or "'" in word:
        return word
    return " ".join(word.upper())


def _character(character: str) -> str:
    """Return a character that voices read, or its letter without accents, or its name."""
    if READ.fullmatch(character):
        return character
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain and plain.isalnum():
        return plain
    return f" {_name(character)} "


def _name(character: str) -> str:
    """Return the name of a character, which is short for a letter."""
    name = unicodedata.name(character, "character").lower()
    found = re.search(r" letter (?:final )?(\w+)", name)  # "greek capital letter delta"
    return found[1] if found else name.split("-")[0]
