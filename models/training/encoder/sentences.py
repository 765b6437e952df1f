"""Sentences of our own.

  sentences(wordnet_folder, count) -> list    patterns filled with everyday nouns, verbs and adjectives of WordNet
  notes(count) -> list                        what people note and ask about their days: the patterns of everyday.txt, filled from its own lists
"""
import os, random, re

FIELDS = dict(zip("06 13 18 15 04 08 11 28 05 20 14 09 10 26 21 12".split(),
                  "thing food person place act body event time animal plant group idea message state money feeling".split()))
NAMES = ("Anna Ben Carla David Elena Frank Greta Hugo Ines Jack Karin Leo Maya Noah Olga Paul Rita Simon Tara Victor Wendy Yusuf Zoe Amir Bella "
         "Chen Diego Emma Fiona George Hana Ivan Julia Kofi Laura Mehmet Nadia Oscar Petra Ravi Sara Tomas Ursula Vera Will").split()
PEOPLE = ("my mother|my father|my brother|my sister|my aunt|my uncle|our son|our daughter|my wife|my husband|my cousin|my boss|my neighbour|"
          "my friend|the teacher|the doctor|our landlord|my colleague|my partner|my nephew|the dentist|a customer|the manager|the plumber").split("|")
KIN = "mother father brother sister aunt uncle son daughter wife husband cousin boss neighbour friend".split()
DAYS = ("on Monday|on Tuesday|on Friday|on Sunday|in March|in July|in October|in winter|next week|last year|in the morning|at noon|at night|"
        "every day|every month|twice a week|tomorrow|two years ago|at the weekend|in 2021|before Christmas|at half past six|within ten days").split("|")
DID = ("bought|sold|lost|found|repaired|cleaned|forgot|returned|borrowed|painted|moved|likes|hates|needs|wants|recommended|ordered|cancelled|broke|"
       "paid for|threw away|learned about|talked about|prefers|is afraid of|is allergic to|collects|studies|teaches|made|hid|sent|misses").split("|")
PATTERNS = """{R} {did} the {adj} {thing} {day}.|{N} {did} a {thing}.|Who {did} the {thing}?|What did {N} say about the {event}?
When is the {event} with {N}?|The {thing} is in the {place}.|Where is the {thing}?|Where did I put the {adj} {thing}?|How much does the {thing} cost?
The {thing} costs {n} euros.|{N} is {R2}'s {person}.|Which {food} does {N} like?|{N} eats {food} {day}.|I have an appointment with {R} {day}.
The {thing} does not work because of the {thing2}.|Why does the {thing} not work?|How do I repair the {thing}?|To fix the {thing}, replace the {thing2}.
My {body} hurts since the {event}.|What helps against pain in the {body}?|{N} works as a {person} in {place}.|What does {N} do for a living?
We went to the {place} {day} and had {food}.|What did we do {day}?|Remember to bring the {thing} to the {event}.|{R} feels {feeling} about the {act}.
The {animal} needs {food} {day}.|What does the {animal} eat?|The {plant} in the {place} must be watered {day}.|{N} joined a {group} for {act} {day}.
Which hobby does {N} have?|{N} enjoys {act}.|Never put the {thing} into the {thing2}.|What must I not do with the {thing}?|{N} started {act} {day}.
Since when does {N} do {act}?|{N} wrote a {message} to {R2}.|Did {N} get my {message}?|The {thing} was a present from {N}.|Who gave me the {thing}?
I want to learn about {idea}.|{N} is interested in {idea} and {act}.|The {event} was cancelled because of {state}.|Why was the {event} called off?
{N} moved to the {place} after the {event}.|Is the {place} open {day}?|The {place} is closed {day}.|I prefer {food} to {food2}.|What is the recipe for {food}?
Put {food} and {food2} into the {thing}.|{N} has {n} {animal}s.|How many {thing}s do we have?|Can you help me with the {thing}?|I am worried about {R2}'s {body}.
{adj} {thing}, {adj2} {thing2}|{food} and {food2}|{act}, {event}, {place}|{N} wants to {verb} the {thing}.|How should I {verb} the {thing}?
Please {verb} the {adj} {thing} before the {event}.|{R} told me to {verb} the {thing} {day}.|We must not {verb} the {thing} near the {animal}.
I always {verb} the {thing} before {act}.|Who is supposed to {verb} the {thing}?|Is it all right to {verb} the {food}?|{verb} the {thing} and {verb2} the {thing2}
{N} is looking for a new {thing} and a {thing2}.|The {person} said the {body} will get better {day}.|{N} used to live in {place} and now works in {place2}.
My {person} has a {adj} {animal} called {N}.|For the {event} we need {food}, {food2} and a {thing}.|Do not mix {food} with {food2}.
The {thing} next to the {thing2} is {adj}.|How long does the {event} take?|How often must the {thing} be checked?|Which {thing} should I use for {act}?
For {act} use the {adj} {thing}.|{N} gave up {act} because of {state}.|{N} is proud of {idea}.|{N} is happy about the {event}.|What cheers {N} up?
At the {event} we met a {person} from {place}.|{N} is studying {idea} to become a {person}.|What does {N} want to be?|We keep the {money} in the {thing}.
Where do we keep the {money}?|{N} cannot come {day} because of the {event}.|Why can't {N} make it?|The {message} from {R} came {day}.
The {group} meets {day} at the {place}.|When does the {group} get together?|The {thing} was repaired by {N} for {n} dollars.|{N} and {N2} met at the {event}.
In the {place} there is a {adj} {thing} with a {thing2}.|{act} helps against {state}.|{N}'s {kin} is a {person}.|I dreamed about a {adj} {animal}.
{N} lost the {money} in the {place}.|We saw a {animal} in the {place} {day}.|The {person} forgot the {thing} in the {thing2}.|Reminder: {act} {day}
{thing}: {adj}, {n} euros, from {N}|{N}: {event} {day}, bring {food}|What is the {adj} {thing} for?|Tell me about {idea}.|Is {N} still {adj}?
The {idea} of the {group} is {adj}.|Our {person} charges {n} euros for the {act}.|What does the {person} charge?|{N} can't stand {food}.|Whom should I call about the {thing}?
Call {N} about the {thing}, number {n}.|The deadline for the {message} is {day}.|By when must the {message} be in?|The spare {thing} hangs behind the {thing2}.
{N} was born {day}.|How old is {N}?|The code for the {thing} is {n}.|How do I get into the {place}?|Only {N} may {verb} the {thing}.|Who is allowed to {verb} the {thing}?
The {thing} makes a {adj} noise when you {verb} it.|What is wrong with the {thing}?|After {n} months the {thing} must be replaced.|When is the {thing} due?
{R} and {R2} argued about {money}.|Something sweet with {food}|Something to wear for the {event}|A place to sleep near the {place}|A gift for {R}
If the {thing} stops, {verb} the {thing2}.|The {thing} stopped, what now?|The {animal} is ill, the {person} gave it {food}.|Which medicine does the {animal} get?
{thing} {place} {n}|{N} - {state}, no {food} pls|{thing} ends {day}, cancel by {message}|{act} only {day}, never {day}|{kin}: {food}, {food2}, no {food}
{place} was {adj}, {thing}!|{animal} doctor: {N}, {n}|{thing} = second {thing2}, left|{adj} {thing} for {place}, {n} left|no {act} near the {place}, {event}!
{N} back {day}|{thing} needs {thing2}, ask {R}|{event} moved to {day}|{N}'s {body}: {state}|buy {food}, {food2}, {thing}|{person} {N}, {place}, {n}
what to do when the {thing} is {adj}|how do I get the {thing} to {verb}|who can {verb} my {thing}|where to {verb} {food} {day}|is {food} ok for the {animal}|when do we {verb} the {thing}
{R} never {verb}s {day}|I would rather {verb} than {verb2}|Nobody knows how to {verb} the {thing}.|{idea} is more {adj} than {idea2}.|A {person} and a {person2} {verb} the {thing}.
The {group} wants to {verb} before the {event}.|Can a {animal} {verb}?|A {adj} {person} with a {adj2} {thing}|How {adj} is the {place} {day}?|The {body} of the {animal} is {adj}.""".replace("\n", "|").split("|")


def everyday(folder):
    """The most used words of each field, by how often their senses were met in WordNet's tagged text."""
    counts = {}
    for line in open(folder + "/cntlist.rev"):
        key, _, count = line.split()
        word, rest = key.split("%")
        field = {"1": FIELDS.get(rest.split(":")[1]), "2": "verb", "3": "adj", "5": "adj"}.get(rest[0])
        if field and len(word) > 2:
            counts[field, word] = counts.get((field, word), 0) + int(count)
    lists = {}
    for (field, word), _ in sorted(counts.items(), key=lambda entry: -entry[1]):
        lists.setdefault(field, []).append(word.replace("_", " "))
    return {field: list_[:2500] for field, list_ in lists.items()}


def sentences(folder, count, seed=11):
    some = random.Random(seed)
    lists = everyday(folder)

    def one():
        slots = dict(R=some.choice(PEOPLE), R2=some.choice(PEOPLE), kin=some.choice(KIN), N=some.choice(NAMES), N2=some.choice(NAMES),
                     did=some.choice(DID), day=some.choice(DAYS), n=some.randint(2, 900))
        for field, list_ in lists.items():
            slots[field], slots[field + "2"] = some.choice(list_), some.choice(list_)
        text = some.choice(PATTERNS).format(**slots)
        return text[0].upper() + text[1:]

    return list(dict.fromkeys(one() for _ in range(count)))


def notes(count, seed=12):
    some, lists, patterns = random.Random(seed), {}, []
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "everyday.txt"), encoding="utf-8"):
        name, found, words = line.rstrip("\n").partition(" = ")
        if found:
            lists[name] = words.split(" | ")
        elif line.strip() and not line.startswith("#"):
            patterns += re.split(r"(?<=\?) (?=[A-Z])", line.strip())  # two questions of one line are two patterns

    def one():
        text = some.choice(patterns)
        while "[" in text or "{" in text:
            text = re.sub(r"\[([^\[\]]*)\]", lambda part: some.choice(part[1].split("|")), text)
            text = re.sub(r"\{(\w+)\}", lambda name: some.choice(lists[name[1]]), text)
        text = re.sub(r" (?=[,.?!])", "", re.sub(r" +", " ", text)).strip()
        return text if some.random() < 0.2 else text[0].upper() + text[1:]

    return list(dict.fromkeys(one() for _ in range(count)))
