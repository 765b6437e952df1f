"""Collects the texts that the encoder learns from, and pairs of German, French and Spanish with English, out of sources whose licence lets us (README.md).

  python corpus.py --work W --wordnet DIR --wheels DIR --npm DIR --l10n DIR --modules DIR     W/texts.json, W/all-texts.json, W/pairs.json, W/sides.json
  with --only pairs                                                                            the last two alone

--take first: for table.py, further (else): for further.py. --wheels: one folder a package, unpacked; --npm: unpacked cldr-annotations-full; --l10n: unpacked @turbowarp/scratch-l10n; --modules: a node_modules folder.
"""
import argparse, ast, collections, glob, html, json, os, random, re, sys, sysconfig
from sentences import notes, sentences

FIRST = {"gloss": 80000, "example": 50000, "synonyms": 16000, "emoji": 6000, "home": 16000, "docs": 22000, "packages": 3000, "made": 100000}
FURTHER = {"chat": 40400, "everyday": 51000, "example": 12200, "made": 14700, "gloss": 3200, "other-word": 3200, "voice": 3000, "home": 2800, "docs": 650}
# Skills that read out what others wrote, or lists without end.
NOT_SPOKEN = re.compile("days_in_history|skill_count|dadjokes|word_of_the_day|quotes|horoscope|number_facts|pokepedia|ovosblog|news")
PERMISSIVE = re.compile(r"^\(?(MIT|ISC|0BSD|BSD[-\w]*|Apache-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0)( (OR|AND) (MIT|Apache-2\.0|BSD[-\w]*|CC0-1\.0))*\)?$")


def prose(text):
    """Sentences, and pairs of neighbours, of Markdown or reStructuredText."""
    text = re.sub(r"```.*?```", " ", text, flags=re.S)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`|\*\*|^[#>*\-\d. ]+", "", text, flags=re.M))
    for paragraph in re.split(r"\n\s*\n", re.sub(r"<[^>]+>", " ", text)):
        parts = re.split(r'(?<=[.!?])\s+(?=[A-Z"0-9])', re.sub(r"\s+", " ", paragraph).strip())
        yield from (part for part in parts if len(part) >= 25)
        yield from (" ".join(parts[i : i + 2]) for i in range(0, len(parts) - 1, 3))


def leaves(tree, path=()):
    if isinstance(tree, str):
        yield path, tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, path + (key,))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def po(path):
    """Pairs of a gettext file, without plurals and fuzzy ones."""
    for block in open(path, encoding="utf-8").read().split("\n\n"):
        if "fuzzy" in block or "msgid_plural" in block:
            continue
        found = re.search(r'^msgid ((?:".*"\n?)+)^msgstr ((?:".*"\n?)+)', block + "\n", re.M)
        if found:
            left, right = ("".join(ast.literal_eval(line) for line in part.strip().split("\n")) for part in found.groups())
            if left and right:
                yield right, left


def pairs_of(a, tongue):
    """Texts of a language beside their English: translated programs (Apache-2.0, BSD), names of signs (Unicode), our own word list."""
    for file in glob.glob(f"{a.wheels}/homeassistant/homeassistant/components/*/translations/{tongue}.json"):
        english = dict(leaves(load(file.replace(f"/{tongue}.json", "/en.json"))))
        yield from ((text, english[path]) for path, text in leaves(load(file)) if path in english)
    ui = a.wheels + "/home_assistant_frontend/hass_frontend/static/translations/"
    for part in ("", "config/", "developer-tools/", "lovelace/", "history/", "media-browser/", "page-onboarding/", "page-authorize/", "energy/", "profile/"):
        for file in glob.glob(ui + part + tongue + "-[0-9a-f]*.json"):
            if not re.search(rf"/{tongue}-[0-9a-f]{{32}}\.json$", file):
                continue
            english = dict(leaves(load(glob.glob(ui + part + "en-[0-9a-f]*.json")[0])))
            yield from ((text, english[path]) for path, text in leaves(load(file)) if path in english)
    for package in ("django", "wagtail"):
        for file in glob.glob(f"{a.wheels}/{package}/**/locale/{tongue}/LC_MESSAGES/*.po", recursive=True):
            yield from po(file)
    for file in glob.glob(f"{a.wheels}/indico/indico/translations/{tongue}_*/LC_MESSAGES/*.po"):
        yield from po(file)
    for file in glob.glob(a.l10n + "/locales/*-msgs.js"):
        text = open(file, encoding="utf-8").read()
        messages = json.loads(text[text.index("{") : text.rindex("}") + 1])
        yield from ((own, messages["en"][key]) for key, own in messages[tongue].items() if key in messages["en"])
    if tongue == "de":
        for file in glob.glob(a.wheels + "/jupyterlab_language_pack_de_de/**/*.json", recursive=True):
            for english, german in load(file).items():
                if english and isinstance(german, list) and german[-1]:
                    yield german[-1], english.split("\x04")[-1]
    signs, english = (load(f"{a.npm}/annotations/{tag}/annotations.json")["annotations"]["annotations"] for tag in (tongue, "en"))
    for sign, entry in signs.items():
        if sign in english and "tts" in entry and "tts" in english[sign]:
            yield entry["tts"][0], english[sign]["tts"][0]
            yield ", ".join(entry.get("default", [])), ", ".join(english[sign].get("default", []))
    yield from glossary(tongue)
    yield from phrases(tongue, 9000)


def phrases(tongue, count, seed=13):
    """The patterns of phrases.txt, filled with the same words in both languages."""
    column, some, words, patterns = ["de", "fr", "es"].index(tongue) + 1, random.Random(seed), collections.defaultdict(list), []
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "phrases.txt"), encoding="utf-8"):
        name, found, rest = line.strip().partition("} = ")
        cells = [cell.strip() for cell in (rest if found else line).split("|")]
        if len(cells) == 4:
            (words[name[1:]] if found else patterns).append((cells[column], cells[0]))
    for _ in range(count):
        own, english = some.choice(patterns)
        chosen = {slot: some.sample(words[slot], 2) for slot in words}
        for slot, list_ in chosen.items():
            for left, right in list_:  # of two of a kind the second takes the second place
                own, english = own.replace("{" + slot + "}", left, 1), english.replace("{" + slot + "}", right, 1)
        yield own[0].upper() + own[1:], english[0].upper() + english[1:]


def glossary(tongue):
    """Pairs of words.txt: every translation beside its English, twice, since each stands there once."""
    column = ["de", "fr", "es"].index(tongue) + 1
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt"), encoding="utf-8"):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 4:
            for word in cells[column].split(","):
                yield word.strip(), cells[0]
                yield word.strip() + ".", cells[0]


def spoken(a):
    """What is said to voice assistants, and what they say: skills of OVOS and Neon whose licence is Apache-2.0, BSD or MIT."""
    for file in glob.glob(a.wheels + "/*_skill_*/*/METADATA"):
        about = open(file, errors="replace").read().split("\n\n")[0]
        if NOT_SPOKEN.search(file) or "GPL" in about or not re.search(r"^License.*(Apache|BSD|MIT)", about, re.M):
            continue
        for lines in glob.glob(file.rsplit("/", 2)[0] + "/**/locale/en-[uU][sS]/**/*.*", recursive=True):
            if lines.endswith((".intent", ".dialog")):
                for line in open(lines, errors="replace"):
                    line = re.sub(r"\[[^\]]*\]|\(([^|)]*)\|[^)]*\)|\{[^}]*\}", r"\1", line).strip(" #\n")
                    if not re.search(r"[<>{}|_\[\]]", line):
                        yield line


def collect(a):
    found = collections.defaultdict(dict)

    def put(source, text):
        text = re.sub(r"\s+", " ", html.unescape(re.sub(r"\{[^}]*\}|%\(\w+\)s|%[sd]", "", text))).strip()
        if 8 <= len(text) <= 400 and sum(c.isalpha() or c == " " for c in text) / len(text) > 0.75:
            found[source][text] = 1

    for part in ("noun", "verb", "adj", "adv"):
        for line in open(f"{a.wordnet}/data.{part}"):
            if line.startswith("  "):
                continue
            left, gloss = line.rstrip("\n").split(" | ", 1)
            fields = left.split(" ")
            names = [re.sub(r"\(.*\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
            parts = [p.strip() for p in gloss.split("; ")]
            meaning = "; ".join(p for p in parts if not p.startswith('"'))
            put("gloss", f"{names[0]}: {meaning}")
            put("gloss", meaning)
            for p in parts:
                if p.startswith('"'):
                    put("example", p.strip('"'))
            if len(names) > 1:
                put("synonyms", ", ".join(names))
                for p in parts:
                    for name in names if p.startswith('"') else ():
                        for other in names:
                            if other != name and re.search(rf"\b{re.escape(name)}\b", p):
                                put("other-word", re.sub(rf"\b{re.escape(name)}\b", other, p.strip('"'), count=1))
    for entry in load(a.npm + "/annotations/en/annotations.json")["annotations"]["annotations"].values():
        for name in entry.get("tts", []):
            put("emoji", name)
            put("emoji", f"{name}: {', '.join(entry.get('default', []))}")
    for _, english in pairs_of(a, "de"):
        put("home", english)
    for file in glob.glob(a.modules + "/**/package.json", recursive=True):
        try:
            package = load(file)
        except ValueError:
            continue
        if not isinstance(package, dict) or not PERMISSIVE.match(str(package.get("license", ""))):
            continue
        put("packages", str(package.get("description", "")))
        for page in glob.glob(os.path.dirname(file) + "/*.md"):
            if "CHANGELOG" not in page.upper() and "LICENSE" not in page.upper():
                for text in prose(open(page, errors="replace").read()):
                    put("docs", text)
    for file in glob.glob(sysconfig.get_path("stdlib") + "/*.py") + glob.glob(a.wheels + "/django/django/**/*.py", recursive=True):
        try:
            tree = ast.parse(open(file, errors="replace").read())
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                for text in prose(ast.get_docstring(node) or ""):
                    put("docs", text)
    for talk in load(a.wheels + "/chitchat_dataset/chitchat_dataset/dataset.json").values():
        for message in (message for turn in talk["messages"] for message in turn):
            for text in re.split(r"(?<=[.!?])\s+", message["text"]):
                if 20 <= len(text) <= 120 and not re.search(r"http|@|\d{5}", text):
                    put("chat", text)
    for text in spoken(a):
        put("voice", text)
    for text in sentences(a.wordnet, 300000):
        put("made", text)
    for text in notes(90000):
        put("everyday", text)
    return found


def pairs_by_tongue(a):
    return {tongue: list(dict.fromkeys((x, y) for x, y in pairs_of(a, tongue) if x != y and 1 < len(x) < 300 and 1 < len(y) < 300)) for tongue in ("de", "fr", "es")}


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    p = argparse.ArgumentParser()
    for name in ("work", "wordnet", "wheels", "npm", "l10n", "modules"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--take", choices=["first", "further"], default="further")
    p.add_argument("--only", default="")
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    random.seed(a.seed)
    files = {"pairs": pairs_by_tongue(a)}
    files["sides"] = list(dict.fromkeys(english for pairs in files["pairs"].values() for _, english in pairs))
    print({tongue: len(pairs) for tongue, pairs in files["pairs"].items()}, "pairs")
    if a.only != "pairs":
        found, take = collect(a), FIRST if a.take == "first" else FURTHER
        rows = [(s, t) for s in found for t in random.sample(list(found[s]), min(take.get(s, 0), len(found[s])))]
        random.shuffle(rows)
        files.update({"texts": rows, "all-texts": {s: list(v) for s, v in found.items()}})
        print({s: len(v) for s, v in found.items()}, "taken", len(rows))
    for name, value in files.items():
        json.dump(value, open(f"{a.work}/{name}.json", "w"))
