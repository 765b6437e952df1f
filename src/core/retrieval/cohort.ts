import type { Language } from '../../shared/domain/language'
import { COHORT_SENTENCES } from './calibration'
import { EVERYDAY_ASKS } from './everyday-asks'

const listOf = (text: string): readonly string[] => text.trim().split(/[|\n]/)

/**
 * Texts about nothing in particular, by language: what an encoder's likenesses are measured against. By encoders that nothing was fitted for, a text is
 * measured against those of its own language: they put texts of one language near each other, most of all of one that they have not learned. A change
 * changes what is recalled.
 */
export const COHORTS: Readonly<Record<Language, readonly string[]>> = {
  en: [...COHORT_SENTENCES, ...EVERYDAY_ASKS],
  de: listOf(`
Die Bäckerei an der Ecke öffnet um sechs Uhr morgens.|Lösche alle Zeilen, deren Status storniert ist.|Gletscher formen Täler über Jahrtausende.
Ihr Bruder spielt Cello in einem kleinen Orchester.|Wie viele Kunden haben im Mai mehr als dreimal bestellt?|Der Motor wird heiß, wenn der Keilriemen rutscht.
Die Zinsen wurden um einen Viertelpunkt erhöht.|Packe den Ordner und kopiere ihn auf die Sicherungsplatte.|Eulen jagen nachts allein nach dem Gehör.
Welcher Fluss fließt durch die Hauptstadt von Österreich?|Er rührte die Suppe um und gab etwas Salz dazu.|Der Vertrag endet am letzten Tag im März.
Photosynthese macht aus Licht Zucker.|Bitte verschiebe meinen Flug auf Donnerstagnachmittag.|Ein Beweis durch Induktion braucht einen Anfang.
Das Museum hat zwei Gemälde nach Madrid verliehen.|Impfungen lehren den Körper, einen Erreger zu erkennen.|Welche Dateien haben sich seit gestern geändert?
Der Torwart hielt in der letzten Minute einen Elfmeter.|Beton wird auch unter Wasser hart.|Mein Handy lädt nicht mehr.|Der Vertrag wurde nach zehn Jahren Krieg unterzeichnet.
Drehe das Bild und schneide den linken Rand ab.|Bienen sagen einander durch Tanzen, wo Blumen sind.|Hallo, wie geht es dir?|Danke, das hat mir sehr geholfen.
Kannst du mir bei etwas helfen?|Erzähl mir einen Witz.|Was sind die größten Städte in Portugal?|Welcher Planet hat die meisten Monde?|Warum ist der Himmel blau?
Was ist der Unterschied zwischen Wetter und Klima?|Wer hat den Buchdruck erfunden?|Wann ist die Berliner Mauer gefallen?|Was ist Inflation?
Schreib ein kurzes Gedicht über Herbstlaub.|Formuliere das höflicher: Ich will sofort mein Geld zurück.|Übersetze "Wo ist die Apotheke" ins Spanische.
Was ist ein anderes Wort für glücklich?|Schreib einen Geburtstagsgruß für meine Tante.|Hilf mir, ein Treffen am Freitag abzusagen.|Wie bekomme ich Rotwein aus einem weißen Teppich?
Wie oft soll ich einen Kaktus gießen?|Wie schärfe ich ein Küchenmesser?|Wie lange kocht ein weiches Ei?|Gib mir ein Rezept für Linsensuppe.|Warum ist mein Brot nicht aufgegangen?
Kann man Pilze einfrieren?|Was soll ich für eine Woche Island im März einpacken?|Was hilft gegen Jetlag?|Ideen für einen verregneten Nachmittag mit zwei kleinen Kindern
Meine Katze kratzt am Sofa, was kann ich tun?|Dürfen Hunde Trauben fressen?|Was hilft gegen Schluckauf?|Wie schlafe ich schneller ein?|Was ist Zinseszins?
Was ist der Unterschied zwischen brutto und netto?|Wie schreibt man ein Testament?|Was ist die Abseitsregel?|Wie stimme ich eine Ukulele?|Empfiehl mir einen Roman über das Meer.
Wie binde ich eine Fliege?|Wie bereite ich mich auf ein Vorstellungsgespräch vor?|Wie machen Bienen Honig?|Warum schwimmt Eis?|Was sind 17 Prozent von 2340?
Rechne 72 Fahrenheit in Celsius um.|Schreib eine Funktion in Python, die einen Text umdreht.|Fasse die angehängte Datei zusammen.|Vergleiche die beiden Rechnungen in meinem Ordner.
Wie wird das Wetter morgen in Lyon?|Was ist auf diesem Bild?|Nenne drei Argumente für und gegen Schuluniformen.|Was bedeutet höhere Gewalt in einem Vertrag?`),
  fr: listOf(`
La boulangerie du coin ouvre à six heures du matin.|Supprime toutes les lignes dont le statut est annulé.|Les glaciers creusent des vallées pendant des milliers d'années.
Son frère joue du violoncelle dans un petit orchestre.|Combien de clients ont commandé plus de trois fois en mai ?|Le moteur chauffe quand la courroie glisse.
Les taux d'intérêt ont été relevés d'un quart de point.|Compresse le dossier et copie-le sur le disque de sauvegarde.|Les hiboux chassent la nuit rien qu'au bruit.
Quel fleuve traverse la capitale de l'Autriche ?|Il remua la soupe et ajouta un peu de sel.|Le contrat se termine le dernier jour de mars.
La photosynthèse change la lumière en sucre.|Déplace mon vol à jeudi après-midi, s'il te plaît.|Une preuve par récurrence a besoin d'un point de départ.
Le musée a prêté deux tableaux à Madrid.|Les vaccins apprennent au corps à reconnaître un microbe.|Quels fichiers ont changé depuis hier ?
Le gardien a arrêté un penalty à la dernière minute.|Le béton durcit même sous l'eau.|Mon téléphone ne se charge plus.|Le traité fut signé après dix ans de guerre.
Tourne l'image et coupe le bord gauche.|Les abeilles se disent en dansant où sont les fleurs.|Bonjour, comment vas-tu ?|Merci, cela m'a beaucoup aidé.
Peux-tu m'aider pour quelque chose ?|Raconte-moi une blague.|Quelles sont les plus grandes villes du Portugal ?|Quelle planète a le plus de lunes ?|Pourquoi le ciel est-il bleu ?
Quelle est la différence entre la météo et le climat ?|Qui a inventé l'imprimerie ?|Quand le mur de Berlin est-il tombé ?|Qu'est-ce que l'inflation ?
Écris un court poème sur les feuilles d'automne.|Dis cela plus poliment : je veux être remboursé tout de suite.|Traduis « où est la pharmacie » en espagnol.
Quel est un autre mot pour heureux ?|Écris un mot d'anniversaire pour ma tante.|Aide-moi à refuser une réunion vendredi.|Comment enlever du vin rouge d'un tapis blanc ?
À quelle fréquence faut-il arroser un cactus ?|Comment aiguiser un couteau de cuisine ?|Combien de temps cuit un œuf à la coque ?|Donne-moi une recette de soupe aux lentilles.
Pourquoi mon pain n'a-t-il pas levé ?|Peut-on congeler des champignons ?|Que mettre dans ma valise pour une semaine en Islande en mars ?|Que faire contre le décalage horaire ?
Des idées pour un après-midi de pluie avec deux petits enfants|Mon chat griffe le canapé, que faire ?|Les chiens peuvent-ils manger du raisin ?|Que faire contre le hoquet ?
Comment s'endormir plus vite ?|Que sont les intérêts composés ?|Quelle est la différence entre brut et net ?|Comment écrit-on un testament ?|Quelle est la règle du hors-jeu ?
Comment accorder un ukulélé ?|Conseille-moi un roman sur la mer.|Comment nouer un nœud papillon ?|Comment me préparer à un entretien d'embauche ?|Comment les abeilles font-elles du miel ?
Pourquoi la glace flotte-t-elle ?|Combien font 17 pour cent de 2340 ?|Convertis 72 degrés Fahrenheit en Celsius.|Écris une fonction en Python qui retourne un texte.|Résume le fichier joint.
Compare les deux factures de mon dossier.|Quel temps fera-t-il demain à Lyon ?|Qu'y a-t-il sur cette image ?|Donne trois arguments pour et contre les uniformes à l'école.
Que veut dire force majeure dans un contrat ?`),
  es: listOf(`
La panadería de la esquina abre a las seis de la mañana.|Borra todas las filas cuyo estado sea cancelado.|Los glaciares excavan valles durante miles de años.
Su hermano toca el violonchelo en una pequeña orquesta.|¿Cuántos clientes pidieron más de tres veces en mayo?|El motor se calienta cuando patina la correa.
Los tipos de interés subieron un cuarto de punto.|Comprime la carpeta y cópiala en el disco de respaldo.|Los búhos cazan de noche solo por el oído.
¿Qué río pasa por la capital de Austria?|Removió la sopa y añadió un poco de sal.|El contrato termina el último día de marzo.
La fotosíntesis convierte la luz en azúcar.|Cambia mi vuelo al jueves por la tarde, por favor.|Una prueba por inducción necesita un caso base.
El museo prestó dos cuadros a Madrid.|Las vacunas enseñan al cuerpo a reconocer un microbio.|¿Qué archivos han cambiado desde ayer?
El portero paró un penalti en el último minuto.|El hormigón se endurece incluso bajo el agua.|Mi teléfono ya no se carga.|El tratado se firmó tras diez años de guerra.
Gira la imagen y recorta el borde izquierdo.|Las abejas se cuentan bailando dónde están las flores.|Hola, ¿cómo estás?|Gracias, eso me ayudó mucho.
¿Me puedes ayudar con algo?|Cuéntame un chiste.|¿Cuáles son las ciudades más grandes de Portugal?|¿Qué planeta tiene más lunas?|¿Por qué el cielo es azul?
¿Cuál es la diferencia entre el tiempo y el clima?|¿Quién inventó la imprenta?|¿Cuándo cayó el muro de Berlín?|¿Qué es la inflación?
Escribe un poema corto sobre las hojas de otoño.|Dilo con más cortesía: quiero que me devuelvan el dinero ya.|Traduce «dónde está la farmacia» al francés.
¿Qué otra palabra hay para feliz?|Escribe una felicitación de cumpleaños para mi tía.|Ayúdame a rechazar una reunión el viernes.|¿Cómo quito vino tinto de una alfombra blanca?
¿Cada cuánto hay que regar un cactus?|¿Cómo afilo un cuchillo de cocina?|¿Cuánto tiempo se cuece un huevo pasado por agua?|Dame una receta de sopa de lentejas.
¿Por qué no subió mi pan?|¿Se pueden congelar las setas?|¿Qué llevo en la maleta para una semana en Islandia en marzo?|¿Qué ayuda contra el desfase horario?
Ideas para una tarde de lluvia con dos niños pequeños|Mi gato araña el sofá, ¿qué hago?|¿Pueden los perros comer uvas?|¿Qué ayuda contra el hipo?|¿Cómo me duermo más rápido?
¿Qué es el interés compuesto?|¿Cuál es la diferencia entre bruto y neto?|¿Cómo se escribe un testamento?|¿Cuál es la regla del fuera de juego?|¿Cómo se afina un ukelele?
Recomiéndame una novela sobre el mar.|¿Cómo se ata una pajarita?|¿Cómo me preparo para una entrevista de trabajo?|¿Cómo hacen miel las abejas?|¿Por qué flota el hielo?
¿Cuánto es el 17 por ciento de 2340?|Convierte 72 grados Fahrenheit a Celsius.|Escribe una función en Python que invierta un texto.|Resume el archivo adjunto.
Compara las dos facturas de mi carpeta.|¿Qué tiempo hará mañana en Lyon?|¿Qué hay en esta imagen?|Dame tres argumentos a favor y en contra de los uniformes escolares.
¿Qué significa fuerza mayor en un contrato?`),
}
