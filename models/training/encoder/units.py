"""Cuts a text into the rows of the encoder's table. src/core/retrieval/encoder-words.ts does the same: change both or none."""
import re, unicodedata

APOSTROPHES = re.compile("[\u2018\u2019\u02bc]")
NOT = re.compile(r"n't\b", re.A)
ENDINGS = re.compile(r"'(?:s|re|ve|ll|d|m)\b", re.A)
WORD = re.compile(r"[a-z]+|[0-9]+")
LONGEST_WORD = 40
MOST_WORDS = 512
LEAST_SHARED = 4
# Function words by which a text's language is told. English first: it wins where as many are found.
FUNCTION_WORDS = {
    "": "the and is not i we a an with of to on for you she it them how where when who whose why which what are have has will be my our his "
        "her can must should at after from or but also only still in into about me us no there please was were do does did this that",
    "de": "der das und ist nicht ich wir ein eine einen einem einer mit von zu auf fur ihr sie es den dem wie wo wann wer wen wem wessen warum "
          "welche welcher welches sind haben habe hat hast wird werden mein meine meinen meiner unser unsere sein seine seinen kann muss soll "
          "bei nach aus oder aber auch nur noch schon vom zum zur im ins uber mich mir dir uns kein keine sich gibt bitte wurde",
    "fr": "le la les des du est et pas je nous un une avec pour dans sur que qui quoi quand comment pourquoi ou quel quelle quels quelles il elle "
          "ils elles sont avoir ai a as ont sera mon ma mes notre nos son sa ses peut dois doit faut au aux chez vous tu ce cette ces ne plus "
          "aussi mais apres avant se y cela ca",
    "es": "el la los las del es y no yo un una con para en que quien cuando como donde por cual cuales esta estan son hay he ha han tengo tiene "
          "sera mi mis nuestro nuestra su sus puedo puede debo debe al usted tu este esta estos ese lo se mas tambien pero despues antes muy",
}
TONGUES = [(tongue and tongue + ":", frozenset(words.split())) for tongue, words in FUNCTION_WORDS.items()]


def words(text):
    text = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss").replace("œ", "oe").replace("æ", "ae"))
    text = re.sub(r"[\u0300-\u036f]", "", text)
    text = ENDINGS.sub("", NOT.sub(" not", APOSTROPHES.sub("'", text)))
    return [word[:LONGEST_WORD] for word in WORD.findall(text)]


def tongue_of(found):
    """"" (English), "de:", "fr:" or "es:": the language most of whose function words are among `found`."""
    best, most = "", sum(w in TONGUES[0][1] for w in found)
    for tongue, function_words in TONGUES[1:]:
        count = sum(w in function_words for w in found)
        if count > most:
            best, most = tongue, count
    return best


class Units:
    """Rows of a list of units: words and "##" pieces of English; those of the other languages begin with their mark ("de:")."""

    def __init__(self, units):
        self.rows = {unit: row for row, unit in enumerate(units)}
        self.cache = {}

    def of_word(self, word, tongue=""):
        key = tongue + word
        if key not in self.cache:
            self.cache[key] = self.split(word, tongue)
        return self.cache[key]

    def split(self, word, tongue):
        whole = self.rows.get(tongue + word)
        if whole is not None:
            return [whole]
        if len(word) >= LEAST_SHARED:  # a name, a borrowed word, or a text without words that tell its language
            for other, _ in TONGUES:
                whole = self.rows.get(other + word)
                if whole is not None:
                    return [whole]
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                part = word[start:end]
                row = self.rows.get(tongue + (part if start == 0 else "##" + part))
                if row is None and start > 0 and len(part) >= LEAST_SHARED:
                    row = self.rows.get(tongue + part)
                if row is not None:
                    found.append(row)
                    break
            start = end if row is not None else start + 1
        return found

    def __call__(self, text, limit=MOST_WORDS, tongue=None):
        found = words(text)[:limit]
        mark = tongue_of(found) if tongue is None else tongue
        return [row for word in found for row in self.of_word(word, mark)]
