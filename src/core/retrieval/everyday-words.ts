/**
 * Everyday English words that stand for the same thing in questions and in answers, one thing a line. Small on purpose: what people tell
 * each other about work, home, family, health, food, travel and feelings, and the verbs of tasks. Words of several senses are left out
 * where another sense is as usual.
 */
export const EVERYDAY_WORDS = `
job work occupation profession career employment employer living employed
boss employer supervisor
colleague coworker
quit resign leave
hire recruit employ
retire retirement pension
salary wage pay income earn
meeting conference appointment
study learn course class lesson education degree university college student
school kindergarten classroom pupil
teacher tutor professor instructor mentor
exam test quiz
begin start commence
finish complete end
stop quit cease
travel trip journey holiday vacation tour getaway visit fly flight
mountain hike hiking trek trail walk
sea beach coast ocean shore
camp camping tent campfire outdoors nature
hotel hostel accommodation
car automobile vehicle truck van auto drive
bicycle bike cycling cycle
train railway rail
road street highway
ship boat canoe sail kayak
airplane plane aircraft pilot
home house apartment flat cottage residence live
move relocate relocation
neighbour neighbor neighbourhood neighborhood
city town village
country nation homeland
garden yard plant seedling flower tree grow gardening
kitchen cook cooking bake recipe meal dish
eat food meal dinner lunch breakfast supper snack
restaurant cafe diner
drink coffee tea beverage
cake pastry tart pie dessert cookie bread
fruit apple orange banana berry
vegetarian vegan meat
mother mum mom mama
father dad daddy papa
parent mother father mum mom dad
grandmother grandma granny
grandfather grandpa
grandparent grandmother grandma grandfather grandpa
brother sister sibling
child kid son daughter
baby newborn infant twin toddler
nephew niece uncle aunt cousin relative family
husband wife spouse partner
marry marriage married wedding engaged engagement fiance
date relationship girlfriend boyfriend dating
breakup divorce separated split
friend buddy pal mate friendship
dog puppy pet
cat kitten pet
animal pet dog cat horse
die death dead funeral bury grave lost pass
birthday anniversary celebrate celebration party
gift present
doctor physician hospital clinic nurse medical
ill sick illness disease
hurt injure injury wound break broken harm pain ache
healthy health fitness fit
medicine drug pill medication
therapy therapist counseling counselor counselling counsellor psychologist
stress anxiety anxious worry worried nervous
afraid fear scared frightened terrified
happy glad joy pleased delighted excited thrilled
sad unhappy upset depressed sorrow grief
angry mad furious anger
proud pride accomplishment achieve achievement
love adore
like enjoy fond
hate dislike
tired exhausted exhausting weary
calm relax relaxing peaceful unwind destress
dream wish hope goal aim aspiration
plan intend intention going
decide decision choose choice pick
help assist support aid
volunteer charity donate community fundraiser
give donate
buy purchase bought shop shopping
sell sold sale
money cash fund finance financial price cost
cheap inexpensive affordable
expensive costly
large big huge great
small little tiny
quick fast rapid
paint painting draw drawing art artist sketch picture
photo photograph picture photography camera
music song sing singer band concert melody
instrument guitar piano violin cello drum flute
dance dancing ballet
book novel read reading author writer story
write writing author poem journal
film movie cinema
theatre theater play stage
game gaming videogame player
sport athletic training workout exercise gym
run running marathon race jog
swim swimming pool
football soccer goal
win victory prize award champion trophy
lose loss defeat
competition contest tournament match
pottery clay ceramic bowl
craft handmade knit sew
computer laptop pc
phone telephone mobile cellphone smartphone
internet web online website
program software app application
fix repair mend
build construct make create
destroy demolish ruin
show display present
say tell mention talk speak
ask question inquire enquire
answer reply respond response
remember recall memory
forget forgot
know aware
think believe opinion
discover find
search seek look
see watch view
hear listen
meet encounter met
invite invitation
adopt adoption foster
church mosque temple synagogue religion faith pray
vote election politics political campaign
law lawyer court judge legal
police officer crime
army military soldier war veteran
science scientist research
teach instruct train
old elderly aged
young youth teenager teen
rain storm weather snow
fire flame burn
sleep nap bed asleep
clothes clothing dress shirt outfit wear
shoe boot sneaker
jewelry jewellery necklace ring bracelet
number count amount quantity
year annual
month monthly
week weekly
often frequency frequently usually
early morning
evening night tonight
delete remove erase drop
add insert append
change alter update modify edit
cancel abort
refund reimburse reimbursement
order purchase
customer client buyer
error fault failure bug
folder directory
copy duplicate
average mean
maximum highest greatest most
minimum lowest least
`
