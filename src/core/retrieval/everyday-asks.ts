/**
 * What people ask that has to do with nothing in particular: with the sentences of calibration.ts, what an encoder's likenesses are measured
 * against. A change of it changes what is recalled.
 */
export const EVERYDAY_ASKS: readonly string[] = `
Hello|Hi there, how are you?|Thanks, that helped a lot|Good morning!|Can you help me?|What can you do?|ok|Tell me a joke|Who are you?
Please say that again in fewer words|Are you there?|That is not what I meant|What are the biggest cities in Portugal?
Name three rivers in Germany|Which planet has the most moons?|Why is the sky blue?|How long does light take from the sun to us?
What is the difference between weather and climate?|Who invented the printing press?|What language do they speak in Brazil?
How tall is Mont Blanc?|When did the Berlin wall fall?|What does the heart do?|Explain photosynthesis to a ten-year-old
How do vaccines work?|What is inflation?|Write a short poem about autumn leaves|Give me a title for a story about a lighthouse keeper
Write a limerick about a grumpy baker|Finish this sentence: The old clock struck thirteen and
Rewrite this more politely: I want my money back now|Translate "where is the pharmacy" into Spanish|How do you say good night in Japanese?
Correct my grammar: he go to school yesterday|What is another word for happy?|Is it "fewer" or "less" apples?
Draft a birthday message for my aunt|Write a toast for my sister's wedding|Write a thank-you note to my landlord for fixing the boiler
Help me say no to a meeting on Friday|Write an out-of-office reply for two weeks in July|Make this cover letter shorter
Suggest a subject line for a newsletter about composting|How do I get red wine out of a white carpet?|How do I unblock a kitchen sink?
My washing machine smells, what should I do?|How often should I water a cactus?|When do I plant tulip bulbs?
How do I sharpen a kitchen knife?|How do I remove a splinter?|What should I put in a first aid kit?
How do I stop my glasses from fogging up?|How do I fold a fitted sheet?|What paint is best for a bathroom ceiling?
How do I bleed a radiator?|Which side of the foil goes on the outside?|How long do I boil an egg for a soft yolk?
Give me a recipe for lentil soup|What can I cook with leeks and potatoes?|How do I keep basil fresh?|Substitute for buttermilk in pancakes
How much rice per person?|Why did my bread not rise?|Can I freeze mushrooms?|What goes well with beetroot?
Plan dinners for five days without meat|What wine fits grilled trout?|Suggest a quiet weekend away by train
What should I pack for a week in Iceland in March?|Is tap water safe in Istanbul?|How do I get over jet lag?
What time is it in Tokyo when it is noon in Rome?|Ideas for a rainy afternoon with two small children
Games to play in the car without anything|How do I teach my daughter to ride a bike?|My baby will not sleep through, any ideas?
My cat scratches the sofa, how do I stop it?|Can dogs eat grapes?|How big should a rabbit hutch be?|How do I trim a parrot's claws?
Give me a running plan for a first ten kilometres|Stretches for a stiff neck|How many steps a day are enough?|What helps against hiccups?
How long does a cold last?|Is it bad to crack your knuckles?|How do I fall asleep faster?|What is a good resting pulse?
Explain what a deductible is in insurance|Should I pay off my loan early?|What is compound interest?|How do I read a payslip?
What is the difference between gross and net?|How do I write a will?|What does force majeure mean in a contract?
Can my neighbour build a fence that tall?|Do I need a permit for a garden shed?|What is the offside rule?|How does scoring work in tennis?
Explain castling in chess|How do I shuffle cards properly?|What chords are in a twelve-bar blues in A?|How do I tune a ukulele?
Recommend a novel about the sea|Summarise the plot of Hamlet in three sentences|What should I see at an art museum with little time?
How do I take sharp pictures at night?|How do I whistle with two fingers?|How do I tie a bow tie?
What is a polite way to leave a party early?|What do I give a friend who has everything?|Give me five names for a goldfish
Make a packing list for moving house|How do I talk to a colleague who never listens?|How should I prepare for a job interview as a nurse?
What are good questions to ask at the end of an interview?|Give me arguments for and against school uniforms
Explain Kant's categorical imperative simply|What is the trolley problem?|How do bees make honey?|Why do cats purr?
Why do leaves turn yellow?|What causes tides?|How does a microwave heat food?|What is a black hole?|Why does ice float?
How do noise cancelling headphones work?|What is the point of leap years?|How do I explain death to a child?
Give me a mnemonic for the order of the planets|What does "touch base" mean?|Where does the word salary come from?
What is 17 percent of 2,340?|How many weeks are there between 3 March and 21 August?|Convert 72 Fahrenheit to Celsius
What is the square root of 1,764?|If I save 250 a month at 3 percent, how much do I have in ten years?|Solve 3x + 7 = 40
What is the derivative of x squared times sine x?|How many litres are in 15 US gallons?
Split a bill of 184.60 among seven people with ten percent tip|What is 2 to the power of 40?
A room is 4.2 by 3.7 metres, how many square metres of carpet?|Simplify (a+b)^2 - (a-b)^2|What is the average of 12, 19, 23 and 40?
How much is 5 foot 11 in centimetres?|What are the odds of two sixes in a row?|Compute the determinant of [[2,1],[5,3]]
How many days old is someone born on 1 May 1990?|Multiply 4,519 by 387|Write a Python function that reverses a string and test it
Run this: print(sum(range(100)))|Sort these names and remove duplicates: Zoe, Adam, zoe, Bea
Generate ten random passwords with 16 characters|Make a bar chart of 3, 8, 5|Count the words in this text with a script
Simulate 1,000 coin flips and tell me the longest run of heads|Find the first prime above a million
Write a shell command that lists the ten largest files|Fix this JavaScript: for (i=0, i<3, i++) console.log(i)
Parse this JSON and tell me the third key|Write a regular expression for German postcodes|Create a file called todo.txt with three lines
Draw a fractal tree as SVG|Sudoku: solve this grid for me|Unscramble the letters R A T E L|Summarise the attached PDF
What does the contract in lease.docx say about pets?|Read budget.xlsx and tell me which month cost most
What is on slide 7 of the presentation?|Compare the two invoices in my folder|List the documents you can see|How many pages has the report?
Pull the table on page 3 out of annual.pdf|What does chapter two of the manual say?|Which columns are in sales.csv?
Check my thesis draft for spelling mistakes|What is the total in receipt.pdf?|Search my notes for the wifi password
Where did I write down the recipe for plum jam?|Find everything in my files about the roof repair
Look up the newest release of Blender on the web|What is in the news today about the harbour strike?
Search the web for hiking shoes for wide feet|Which of my files mention Mrs Okafor?|Is there a pharmacy open near me now?
What is the weather tomorrow in Lyon?|Find reviews of electric kettles|What is the price of silver now?
Read https://example.org/article and give me the main points|What does the page at example.com/terms say about refunds?
Open this link and tell me who wrote it: https://blog.example.net/post/42|Summarise the article at www.example.org/bread
Is example.com still up and what is on its home page?|What is in this picture?|Describe the photo holiday.jpg
Transcribe the recording meeting.mp3|What does the sign in the image say?|How many people are on this photo?
What is said in the video clip.mp4?
`
  .trim()
  .split(/[|\n]/)

/** English words that say little in a request, without endings. */
export const LIGHT_WORDS = `
thanks thank thankyou hello hi hey ok okay yes yeah no not good bad morning afternoon evening night great nice cool awesome welcome sorry
bye help lot want need know get make let go come say tell ask think see look give take put use try keep start stop work show find explain
way thing something anything everything someone really much many more most less few some any one two three four five six seven eight nine
ten new old big small large long short high low first last next other another same different difference between time day today tomorrow
yesterday week month year hour minute now later again back also just only like well still even ever never always sure maybe too up out over
into from before after without happy glad love hope feel mean word people person name number kind type list write read answer question my
your his her our their me you all each every both than then because so if or best better right wrong easy hard part place side end point end
idea example case picture photo image
`
