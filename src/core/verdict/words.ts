/**
 * How people say what a message is, by language. A word that ends in "*" stands for all words that begin so; words of one entry follow one another.
 * Words are in lower case, without accents and apostrophes. None of them decides alone: see `relationOf`.
 */
export interface PersonWords {
  /** Thanks, at the beginning of a message. */
  readonly thanks: readonly string[]
  /** Praise, as a sentence of its own at the beginning. */
  readonly praise: readonly string[]
  /** That something works, anywhere. */
  readonly works: readonly string[]
  /** That something is not so. */
  readonly negations: readonly string[]
  /** What a thing or an agent should have done; a complaint where it stands close to a negation. */
  readonly expectations: readonly string[]
  /** That something is broken; a complaint by themselves. */
  readonly faults: readonly string[]
  /** Names of errors; a complaint where somebody has one. */
  readonly errors: readonly string[]
  /** Having an error, or pointing to it. */
  readonly having: readonly string[]
  /** Orders to put something right, at the beginning. */
  readonly repairs: readonly string[]
  /** That the answer is not so, at the beginning; "." ends the clause. */
  readonly denials: readonly string[]
  /** What should be instead of what is. */
  readonly instead: readonly string[]
  /** That the agent shall go on, as the whole message. */
  readonly goOn: readonly string[]
  /** The next thing, at the beginning. */
  readonly next: readonly string[]
  /** What points back to what was spoken of. */
  readonly back: readonly string[]
}

const list = (entries: string): string[] => entries.split('|')

const english: PersonWords = {
  thanks: list(
    'thanks|thank you|thx|ty|good job|good work|well done|love it|lgtm|looks good|looks great|that is perfect|thats perfect',
  ),
  praise: list(
    'perfect|great|awesome|amazing|nice|excellent|wonderful|cool|beautiful|super|great job|nice job|nice work|great work|very nice|very good|good',
  ),
  works: list(
    'works now|work now|working now|it works|that works|this works|everything works|all works|is fixed|is solved|fixed it|looks good|look good|looks great|that fixed|that worked|it worked|thank you so much|thank you very much|thanks so much|works fine|works great|works perfectly|works well',
  ),
  negations: list(
    'doesnt|does not|didnt|did not|dont|do not|isnt|is not|wasnt|was not|arent|are not|not|never|no longer|cant|cannot|can not|couldnt|could not|unable to|failed to|fails to|nor|wont|still no',
  ),
  expectations: list(
    'work*|show*|appear*|chang*|fix*|help*|correct*|right|what i|display*|load*|run|runs|running|update*|open*|happen*|compile*|see|implement*|build*|start*|find*|respond*|save*|match*|render*',
  ),
  faults: list(
    'wrong|broken|broke|breaks|incorrect|mistake|worse|messed|crash*|undo|revert*|roll back|rollback|still fail*|that failed|it failed|this failed|still wrong|still broken|still the same|same problem|same issue|same error|problem persist*|issue persist*|issues persist*|stalls|freezes|hangs|you forgot|you missed|you broke|you removed|you deleted|you ignored|you should have|you shouldnt have|you should not have|i said|i meant|i asked|i told|i wanted|why did you|why would you|nothing happen*|nothing chang*|neither',
  ),
  errors: list('error*|exception*|warning*|traceback|stack trace|failure*'),
  having: list(
    'get|got|getting|have|see|receive*|this|same|following|still|an|with|throws|gives|shows|new|these|those',
  ),
  repairs: list('fix|please fix|correct|please correct|repair|revert|undo|put back|change back'),
  denials: list('no .|nope .|no it is|no its|no that is|no thats|no the|no this is|no he|no she|no they'),
  instead: list(
    'should be|should have|should not|shouldnt|must be|must not|needs to be|need to be|instead of|rather than|not supposed to|supposed to be',
  ),
  goOn: list(
    'continue|go on|go ahead|proceed|please continue|please proceed|do it|do that|do so|please do|keep going|carry on|yes please|yes|y|yep|sure|ok|okay|ok go|ok do it|try again|retry|again|yes do it|yes go ahead|sounds good',
  ),
  next: list(
    'now|next|then|also|and now|another|can you also|lets now|lets move on|moving on|and|finally|additionally',
  ),
  back: list('it|this|that|these|those|they|them|its'),
}

const german: PersonWords = {
  thanks: list('danke|vielen dank|dankeschon|gut gemacht|sieht gut aus'),
  praise: list('perfekt|super|prima|toll|klasse|sehr gut|sehr schon|wunderbar|top|passt|ausgezeichnet|gut'),
  works: list(
    'funktioniert jetzt|geht jetzt|lauft jetzt|jetzt funktioniert|jetzt geht|jetzt lauft|das funktioniert|es funktioniert|alles funktioniert|hat funktioniert|hat geklappt|klappt|sieht gut aus|sehen gut aus',
  ),
  negations: list('nicht|nie|kein*|nichts|nicht mehr|noch nicht|immer noch nicht'),
  expectations: list(
    'funktionier*|geht|gehen|lauft|klapp*|geklappt|richtig*|stimmt|korrekt*|angezeigt|anzeig*|zeigt|gefunden|findet|ladt|geladen|startet|gespeichert|passier*|geander*|andert|aktualisier*|hilft|geholfen|ubersetz*|kompilier*|wie ich|was ich|offnet',
  ),
  faults: list(
    'falsch*|kaputt|sturzt ab|absturz*|absturzt|schlechter|schlimmer|ruckgangig|zurucknehmen|du hast vergessen|du hast ubersehen|du hast geloscht|du hast entfernt|immer noch|ich sagte|ich meinte|ich wollte|ich hatte gesagt|warum hast du|wieso hast du|gleiche problem|selbe problem|gleicher fehler|passiert nichts',
  ),
  errors: list('fehler*|ausnahme*|warnung*|error*|exception*'),
  having: list(
    'bekomme|kriege|habe|hab|kommt|gibt|erhalte|sehe|dieser|diesen|diese|folgende*|gleiche*|selbe*|mit|noch|einen|ein',
  ),
  repairs: list('behebe|korrigier*|bitte korrigier*|reparier*|mach das ruckgangig|bring das in ordnung'),
  denials: list('nein .|nein es|nein das|nein er|nein sie|nein die|nein der'),
  instead: list('sollte|soll|sollten|muss|statt|anstatt|stattdessen|sondern'),
  goOn: list(
    'weiter|mach weiter|bitte weiter|fahre fort|fortfahren|ja|ja bitte|ja mach das|ok|okay|gerne|nochmal|noch einmal|versuch es nochmal|leg los',
  ),
  next: list('jetzt|nun|als nachstes|dann|und jetzt|ausserdem|weiterhin|zusatzlich|noch ein*|und'),
  back: list('es|das|dies*|sie|ihn|ihm|dabei|dort'),
}

const french: PersonWords = {
  thanks: list('merci|merci beaucoup|bien joue'),
  praise: list('parfait|super|genial|excellent|bravo|tres bien|impeccable|nickel|formidable|magnifique'),
  works: list(
    'ca marche|ca fonctionne|marche maintenant|fonctionne maintenant|tout fonctionne|tout marche|cest bon|cela fonctionne',
  ),
  negations: list('ne|n|pas|jamais|plus|rien|aucun*'),
  expectations: list(
    'marche*|fonctionn*|affich*|correct*|bon|bonne|juste|trouv*|charg*|demarr*|change*|chang*|apparai*|enregistr*|ouvr*|lance*|compile*|ce que je|repond*',
  ),
  faults: list(
    'faux|fausse|casse*|plante*|pire|annule*|tu as oublie|vous avez oublie|tu as supprime|toujours le meme|toujours pas|meme probleme|meme erreur|jai dit|je voulais|jai demande|pourquoi as tu|pourquoi avez vous|incorrect*|mauvais*',
  ),
  errors: list('erreur*|exception*|avertissement*|error*'),
  having: list('ai|obtiens|recois|vois|cette|ce|meme|suivante|une|avec|toujours|encore'),
  repairs: list('corrige*|repare*|annule*|reviens en arriere'),
  denials: list('non .|non cest|non il|non elle|non le|non la'),
  instead: list('devrait|doit|devraient|doivent|au lieu de|plutot que|il faut'),
  goOn: list('continue|continuez|vas y|allez y|oui|oui vas y|ok|daccord|encore|reessaie|reessayez|poursuis'),
  next: list('maintenant|ensuite|puis|aussi|et maintenant|autre|egalement|et'),
  back: list('ca|cela|ceci|il|elle|ils|elles|le|la|les'),
}

const spanish: PersonWords = {
  thanks: list('gracias|muchas gracias|buen trabajo|bien hecho'),
  praise: list('perfecto|genial|excelente|muy bien|estupendo|fantastico|increible'),
  works: list('funciona ahora|ahora funciona|ya funciona|todo funciona|eso funciona|ya va|funciono'),
  negations: list('no|nunca|tampoco|nada|ningun*|sigue sin|ya no'),
  expectations: list(
    'funcion*|muestra*|aparec*|correct*|carga*|cambi*|encuentr*|guard*|abre*|inicia*|arranc*|va bien|sirve|compil*|lo que|ayud*|respond*|veo',
  ),
  faults: list(
    'roto|rota|mal|peor|equivocad*|incorrect*|falla|fallo|se cae|deshaz|deshacer|olvidaste|borraste|eliminaste|mismo problema|mismo error|sigue igual|dije|queria|te pedi|por que has',
  ),
  errors: list('error|errores|excepcion*|advertencia*'),
  having: list('tengo|me da|da|sale|aparece|este|esta|mismo|siguiente|un|con|sigue|recibo|obtengo'),
  repairs: list('corrige|arregla|repara|deshaz|revierte'),
  denials: list('no .'),
  instead: list('deberia|debe|deberian|deben|tiene que|en vez de|en lugar de|sino'),
  goOn: list(
    'continua|sigue|adelante|si|si por favor|ok|vale|de acuerdo|otra vez|intenta de nuevo|hazlo|procede',
  ),
  next: list('ahora|luego|despues|tambien|y ahora|otro|otra|ademas|y'),
  back: list('eso|esto|esta|este|lo|la|los|las'),
}

/** By the language's code. Of others Loam knows no words: there the form of a message decides alone. */
export const PERSON_WORDS: Readonly<Record<'en' | 'de' | 'fr' | 'es', PersonWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
}
