import { READ_RELATIONS, type ReadRelation } from '../../../shared/domain/verdict'

/** A person's next message, the attempt before it, and what a reader took it for. */
export interface RelationQuestion {
  readonly relation: ReadRelation
  readonly request: string
  readonly reply: string
  readonly message: string
}

/** Relation, request, reply and next message, in English, German, French and Spanish by turns. */
const LINES = [
  'thanks | Give me a recipe for pancakes for two. | Mix 120 g flour, 2 eggs and 200 ml milk, and fry thin layers in butter. | Lovely, they came out exactly as I hoped.',
  'moves-on | Write the introduction of my report on the harbour. | Here is an introduction of three paragraphs. | The introduction stands. On to the chapter about the cranes.',
  'complaint | How many days does February 2023 have? | February 2023 has 29 days. | There is no 29th in that year, you counted a leap day.',
  'correction | Draw a table of our opening hours. | Here is a table with the hours in the 12-hour format. | Put the hours in the 24-hour format and leave out Sunday.',
  'other-words | Which bus do I take from the station to the museum? | There are many ways to travel in the city. | What I mean: standing at the station, which line brings me to the museum?',
  'other-problem | Speed up the search of the shop. | The search now uses an index and answers in 40 ms. | The basket loses its items when somebody logs in.',
  'continue | Translate the whole letter into English. | Here are the first two paragraphs. The rest follows. | And the rest of it, please.',
  'answers | Book me a table for Friday. | For how many people, and at what time? | Four of us, half past seven.',
  'follow-up | Explain what a mortgage is. | A mortgage is a loan that is secured by a house. | And what happens to the house if I cannot pay?',
  'something-else | Sort these names by length. | Ada, Bruno, Cecilia, Dorothea. | Which wine goes with grilled trout?',
  'thanks | Schreib mir eine Einladung zum Sommerfest. | Liebe Nachbarn, am 12. Juli feiern wir im Hof ... | Besser hätte ich es selbst nicht gekonnt, so hänge ich sie aus.',
  'moves-on | Leg eine Tabelle für die Mitglieder an. | Die Tabelle mitglieder ist angelegt, mit Name, Ort und Eintritt. | Damit ist das erledigt. Als Nächstes die Tabelle für die Beiträge.',
  'complaint | Wie weit ist es von Kiel nach Lübeck? | Es sind rund 300 Kilometer. | Das kann nicht sein, ich fahre die Strecke in einer Stunde.',
  'correction | Fasse den Bericht in fünf Sätzen zusammen. | Der Bericht beschreibt in acht Sätzen ... | Kürze es auf fünf Sätze und lass die Zahlen weg.',
  'other-words | Wie bekomme ich Rotwein aus dem Teppich? | Teppiche gibt es in vielen Farben und Größen. | Anders gefragt: womit geht ein Rotweinfleck aus dem Teppich heraus?',
  'other-problem | Baue eine Suche in die Seite ein. | Die Suche steht jetzt oben rechts. | Beim Drucken fehlt übrigens die letzte Spalte der Rechnung.',
  'continue | Liste alle Bundesländer mit ihrer Hauptstadt auf. | Baden-Württemberg: Stuttgart, Bayern: München, Berlin: Berlin. | Mach weiter bis zum Ende.',
  'answers | Rechne aus, was die Reise kostet. | Mit wie vielen Personen, und fahrt ihr mit dem Zug oder mit dem Auto? | Drei Erwachsene, mit dem Zug.',
  'follow-up | Welche Bäume vertragen Trockenheit? | Zum Beispiel Feldahorn, Robinie und Mehlbeere. | Welcher davon wächst am schnellsten?',
  'something-else | Prüfe die Rechtschreibung dieses Absatzes. | Ich habe zwei Fehler berichtigt. | Nenn mir drei Ausflugsziele an der Ostsee.',
  'thanks | Propose un titre pour mon exposé sur les abeilles. | Les abeilles, ouvrières de nos vergers. | Ce titre me plaît beaucoup, je le garde.',
  'moves-on | Corrige la première page de mon mémoire. | La première page est corrigée, avec six changements. | Bon pour la première. Occupons-nous maintenant de la deuxième.',
  'complaint | Quelle est la capitale du Canada ? | La capitale du Canada est Toronto. | Toronto n’est pas la capitale, tu t’es trompé.',
  'correction | Écris un courriel à mon propriétaire. | Salut Marc, le radiateur est encore en panne ! | Remplace le tutoiement par le vouvoiement, et signe de mon nom complet.',
  'other-words | Comment enlever le calcaire de la bouilloire ? | Une bouilloire sert à chauffer de l’eau. | Je reformule : avec quel produit détartre-t-on une bouilloire ?',
  'other-problem | Ajoute un bouton pour exporter la liste. | Le bouton Exporter se trouve sous la liste. | J’ai vu aussi que la page de connexion reste blanche sur mon téléphone.',
  'continue | Raconte-moi l’histoire du phare. | Il était une fois un gardien qui vivait seul. Un soir, la mer ... | Et ensuite ? Poursuis le récit.',
  'answers | Prépare un programme de course à pied. | Combien de fois par semaine pouvez-vous courir ? | Trois fois, plutôt le matin.',
  'follow-up | Qu’est-ce que la photosynthèse ? | C’est la façon dont les plantes font du sucre avec la lumière. | Est-ce que cela marche aussi la nuit ?',
  'something-else | Classe ces factures par date. | Les factures sont classées de janvier à juin. | Quel temps fait-il d’habitude à Brest en avril ?',
  'thanks | Explícame la regla del tres simple. | Si cuatro manzanas cuestan dos euros, seis cuestan tres. | Ahora por fin lo entiendo, qué bien explicado.',
  'moves-on | Traduce el primer capítulo. | El primer capítulo está traducido. | Pasemos al segundo capítulo.',
  'complaint | ¿Cuánto es 17 por 6? | 17 por 6 son 112. | Ese resultado está mal, me sale 102.',
  'correction | Haz una lista de la compra para cuatro personas. | Para dos personas: un litro de leche, seis huevos ... | Dobla las cantidades y quita los huevos.',
  'other-words | ¿Cómo se llega en tren a Toledo desde Madrid? | Toledo es una ciudad con mucha historia. | Lo digo de otra manera: ¿qué tren tengo que coger en Madrid para ir a Toledo?',
  'other-problem | Cambia el color de la cabecera a azul. | La cabecera es azul en todas las páginas. | Por cierto, los correos de aviso llegan con un día de retraso.',
  'continue | Escribe los nombres de los cincuenta estados. | Alabama, Alaska, Arizona, Arkansas, California ... | Sigue con los demás.',
  'answers | Recomiéndame un libro. | ¿Prefieres una novela o un ensayo? | Una novela, y mejor que sea corta.',
  'follow-up | ¿Qué es la inflación? | Es la subida general de los precios. | ¿Y quién la mide en España?',
  'something-else | Resume esta reunión. | Se acordó cambiar de proveedor en mayo. | Dime un juego para diez niños en el jardín.',
  'thanks | Find the mistake in this formula. | The bracket after B2 is missing. | That was it. You saved my afternoon.',
  'moves-on | Set up the folder for the first customer. | The folder customer-1 is there, with three subfolders. | That one is fine as it is. Same for customer 2.',
  'complaint | Move all pictures into one folder. | Done, all pictures are in pictures/. | Half of them are still where they were.',
  'correction | Write a short text for the sign at the door. | Dear visitors, we kindly ask you to consider closing the door behind you. | Make that four words, and in capitals.',
  'other-words | List the cheapest way to send a parcel to Norway. | Norway lies in the north of Europe. | Let me say it differently: with whom do I send a parcel to Norway for the least money?',
  'other-problem | Add a dark theme to the site. | The site follows the theme of the system now. | I noticed that the newsletter form accepts empty addresses.',
  'continue | Work through the list of 40 invoices. | Invoices 1 to 10 are checked. All are fine so far. | Keep going with the other thirty.',
  'answers | Convert the file for me. | Into which format: PDF or Word? | Word.',
  'follow-up | Which planets have rings? | Saturn, Jupiter, Uranus and Neptune. | Why are those of Saturn so much brighter?',
  'something-else | Compute the mean of these numbers. | The mean is 14.2. | Give me a name for a grey cat.',
  'thanks | Wie stelle ich den Wecker in der Küche um? | Beide Tasten drei Sekunden halten, dann blinkt die Stunde. | Hat geklappt, du bist ein Schatz.',
  'moves-on | Prüfe Kapitel drei auf Tippfehler. | Vier Tippfehler sind berichtigt. | Gut so, dann jetzt Kapitel vier.',
  'complaint | Lösch die doppelten Adressen aus der Liste. | Ich habe 14 doppelte Adressen gelöscht. | Du hast auch welche gelöscht, die nur einmal vorkamen.',
  'correction | Schreib eine Absage an den Bewerber. | Leider müssen wir Ihnen absagen. | Formuliere es freundlicher und nenn einen Grund.',
  'other-words | Ab wann gilt der neue Fahrplan? | Fahrpläne ändern sich von Zeit zu Zeit. | Ich wollte wissen, an welchem Tag der neue Fahrplan in Kraft tritt.',
  'other-problem | Mach die Schrift auf der Startseite größer. | Die Schrift hat jetzt 18 Punkt. | Im Kalender beginnt die Woche neuerdings mit Sonntag, das stört.',
  'continue | Erkläre mir Schritt für Schritt, wie ich das Rad ausbaue. | Schritt 1: Stell das Fahrrad auf den Kopf. | Nächster Schritt?',
  'answers | Such mir ein Geschenk aus. | Für wen ist es, und wie viel darf es kosten? | Für meine Oma, höchstens dreißig Euro.',
  'follow-up | Warum ist der Himmel blau? | Blaues Licht wird in der Luft stärker gestreut. | Und warum ist er abends dann rot?',
  'thanks | Quel est le meilleur moment pour tailler le rosier ? | À la fin de l’hiver, avant les premiers bourgeons. | Parfait, c’est tout ce que je voulais savoir.',
  'moves-on | Crée la diapositive de titre. | La diapositive de titre est prête. | Très bien. Passe à la diapositive avec les chiffres.',
  'complaint | Compte les mots de ce texte. | Le texte compte 90 mots. | C’est faux, mon éditeur en trouve 240.',
  'correction | Fais une liste des pays de l’Union. | Voici la liste, par population. | Mets-les plutôt dans l’ordre alphabétique.',
  'continue | Traduis ces dix phrases. | Voici les cinq premières phrases. | Continue jusqu’à la dixième.',
  'something-else | Calcule la surface du jardin. | Le jardin mesure 84 mètres carrés. | Aide-moi à trouver un cadeau pour mon frère.',
  'answers | Resérvame un hotel en Sevilla. | ¿Para qué noches lo necesitas? | Del tres al cinco de mayo.',
  'follow-up | ¿Cómo se hace el gazpacho? | Se trituran tomates, pepino, pimiento, ajo, aceite y vinagre. | ¿Cuánto tiempo aguanta en la nevera?',
  'other-words | ¿Qué documentos hacen falta para matricular un coche? | Un coche es un medio de transporte. | O sea, ¿qué papeles tengo que llevar para matricularlo?',
  'other-problem | Ordena los productos por precio. | Los productos salen del más barato al más caro. | Otra cosa que falla: el buscador no acepta acentos.',
  'something-else | Corrige las tildes de este párrafo. | He puesto cinco tildes. | ¿Qué árbol da sombra todo el año?',
]

/** Written for this, seven of each relation. */
export const RELATION_QUESTIONS: readonly RelationQuestion[] = LINES.flatMap((line) => {
  const [name, request = '', reply = '', message = ''] = line.split(' | ')
  const relation = READ_RELATIONS.find((one) => one === name)
  return relation ? [{ relation, request, reply, message }] : []
})
