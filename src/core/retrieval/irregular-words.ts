/** English words whose forms no rule of endings brings together: the first of a line stands for all. */
export const IRREGULAR_WORDS = `
go went gone goes
buy bought
eat ate eaten
teach taught
begin began begun
tell told
give gave given
take took taken
make made
get got gotten
come came
become became
see saw seen
know knew known
think thought
find found
feel felt
leave left
keep kept
meet met
run ran
write wrote written
speak spoke spoken
drive drove driven
break broke broken
choose chose chosen
sell sold
send sent
spend spent
build built
lend lent
bend bent
lose lost
win won
fall fell fallen
fly flew flown
grow grew grown
blow blew blown
throw threw thrown
draw drew drawn
hear heard
hold held
lead led
pay paid
ride rode ridden
rise rose risen
say said
sing sang sung
ring rang rung
sink sank sunk
drink drank drunk
swim swam swum
sit sat
sleep slept
sweep swept
weep wept
stand stood
understand understood
wear wore worn
tear tore torn
swear swore sworn
catch caught
fight fought
seek sought
bring brought
forget forgot forgotten
forgive forgave forgiven
hide hid hidden
bite bit bitten
shake shook shaken
steal stole stolen
freeze froze frozen
wake woke woken
lay laid
lie lied lying
die died dying
dig dug
stick stuck
hang hung
strike struck
swing swung
spin spun
shoot shot
shine shone
feed fed
bleed bled
breed bred
flee fled
deal dealt
mean meant
dream dreamt
learn learnt
burn burnt
lean leant
leap leapt
kneel knelt
shrink shrank shrunk
stink stank
spring sprang sprung
show showed shown
sew sewn
mow mown
prove proven
child children
man men
woman women
person people
foot feet
tooth teeth
mouse mice
goose geese
life lives
wife wives
knife knives
half halves
wolf wolves
shelf shelves
thief thieves
far further furthest
`
