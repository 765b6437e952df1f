// In chats with other programs most sentences that tell something tell it of a text, a program or a made-up person that is worked on.

const word = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')

const OF_PERSON = word(
  'i(?!\\.)|my|mine|me|we|our|us|im|ich|mein\\p{L}*|mich|mir|wir|unser\\p{L}*|uns|je|j|mon|ma|mes|moi|nous|notre|nos|yo|mi|mis|me|nuestr\\p{L}+|soy|vivo|tengo|trabajo|hablo|prefiero|odio|llámame|llamo',
)
/** Who asks or orders, or speaks of what stands there, says nothing that lasts. */
const OF_THE_TALK = word(
  'you|your|yours|u|du|dein\\p{L}*|dir|dich|sie|ihnen|tu|toi|ton|vous|votre|tú|usted|this|these|that|those|here|above|below|following|last one|first one|next|last|now|today|tonight|tomorrow|yesterday|currently|at the moment|again|instead|it|hier|dies\\p{L}*|heute|gerade|morgen|jetzt|ici|ceci|ça|maintenant|aujourd|esto|esta|este|hoy|ahora|also',
)
/** What is on somebody's mind, and not how things are with them. */
const ON_MIND =
  /(?<!\p{L})(?:i|we)(?:['’](?:m|re|d|ll|ve)| am| are| was| were| will| would| have| had| can| could)? (?:(?:not|so|just|really|also|currently|actually|still|going) )*(?:(?!living|working (?:as|at|for|in|with)|married|retired)\p{L}+ing(?!\p{L})|to |need|want|wish|like to|agree|disagree|think|thought|guess|believe|feel|heard|hear|see|saw|mean|meant|understand|forgot|know|wonder|hope|tried|try|get|got|went|will|would|could|should|might|can|['’]ll|sure|sorry|afraid|confused|bored|curious|interested|unable|able|stuck|happy|glad|aware)(?!\p{L})/iu
const ON_MIND_ELSEWHERE =
  /(?<!\p{L})(?:(?:ich|wir) (?:möchte|will|wollen|brauche|suche|denke|glaube|finde|habe ein(?:e|en)? (?:frage|problem))|je (?:veux|voudrais|pense|crois|cherche|dois)|(?:quiero|quisiera|necesito|busco|creo|pienso))(?!\p{L})/iu
/** A message that makes something up, or gives the program a part to play. */
const MADE_UP = word(
  "act as|acts? like|pretend|imagine|assume|suppose|role|roleplay|role-play|story|stories|novel|character|scene|script|dialog(?:ue)?|fiction|fictional|poem|song|lyrics|rap|screenplay|game|quest|you are|you[’']re|simulate|persona|hypothetical\\p{L}*|riddle|puzzle|stell dir vor|tu so|geschichte|gedicht|rolle|spiel|imagine que|fais comme|histoire|poème|rôle|jeu|imagina|finge|historia|poema|papel|juego|translate|übersetze?|traduis|traduce|rewrite|rephrase|paraphrase|proofread",
)
const MOST_WORDS = 30

/** Whether a statement in a message to another program says something of the person that may last; of what is worked on there it says nothing. */
export const saysOfPerson = (statement: string, message: string): boolean =>
  statement.split(' ').length <= MOST_WORDS &&
  OF_PERSON.test(statement) &&
  !OF_THE_TALK.test(statement) &&
  !ON_MIND.test(statement) &&
  !ON_MIND_ELSEWHERE.test(statement) &&
  !MADE_UP.test(message)
