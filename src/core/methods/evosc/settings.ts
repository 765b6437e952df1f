import { z } from 'zod'
import { trainerBackendSchema } from '../../../shared/domain/soft-prompt-training'
import { choice, defineSettings, number, onOff, whole } from '../../ground/settings'

export const SETTINGS = defineSettings('evosc', 'EvoSC lessons', {
  errorLessons: onOff(true, {
    title: 'Lessons from mistakes',
    help: 'EE: a failure is held against successes.',
    source: 'EvoSC, eq. 3',
  }),
  successLessons: onOff(true, {
    title: 'Lessons from successes',
    help: 'SE: what two different successes share.',
    source: 'EvoSC, eq. 4',
  }),
  attempts: onOff(true, {
    title: 'Recent successes',
    help: 'Show the K newest successes as well.',
    source: 'EvoSC, eq. 7',
  }),
  softPrompt: onOff(true, {
    title: 'Soft prompt of the memory',
    help: 'Put the one the memory uses first, if it has one for the environment and the model of the run.',
    source: 'EvoSC, eq. 7',
  }),
  ptc: onOff(false, {
    title: 'Train a soft prompt',
    help: 'PTC: stop once, distil what was solved so far, and go on with it. It takes far longer than the tasks, and not every model can be trained.',
    source: 'EvoSC, section 4.2',
  }),
  ptcAfter: whole(0, 1_000_000, 0, {
    title: 'Train after',
    help: 'Tasks before the first training; 0 is a third of them.',
    unit: 'tasks',
  }),
  ptcEvery: whole(0, 1_000_000, 0, {
    title: 'Train again after',
    help: 'Tasks solved since the last time; 0 trains once.',
    unit: 'tasks',
  }),
  ptcTeacher: whole(1, 256, 20, {
    title: 'Successes for the teacher',
    help: 'How many it is shown when it acts as the expert.',
    unit: 'attempts',
    source: 'EvoSC, eq. 5',
  }),
  ptcStudent: whole(0, 256, 8, {
    title: 'Successes for the student',
    help: 'How many stay in its prompt as text; never more than the run shows.',
    unit: 'attempts',
    source: 'EvoSC, eq. 6',
  }),
  ptcLength: whole(0, 256, 0, {
    title: 'Tokens of the soft prompt',
    help: '0: as many as suit the model, 20 to 64; the narrower it is the more. The paper uses 20.',
    unit: 'tokens',
    source: 'EvoSC, section 5.1',
  }),
  ptcBackend: trainerBackendSchema.default('cpu').meta({
    title: 'Train on',
    help: 'A device that has not what the training needs is refused before the run starts or when the training begins.',
    choices: { cpu: 'the processor', cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' },
  }),
  ptcSteps: whole(1, 100_000, 100, {
    title: 'Training steps',
    help: 'At most; it ends early without progress.',
    unit: 'steps',
  }),
  ptcHoldOut: number(0, 0.5, 0.3, {
    title: 'Held out',
    help: 'Share of the tasks it is not trained on. It is tried on them.',
  }),
  ptcRetry: onOff(true, {
    title: 'Failed tasks too',
    help: 'They are tried again first, knowing what the failed attempt found out, and learned from where that solves them. Not in the paper.',
  }),
  ptcCaution: number(0, 0.9, 0, {
    title: 'Caution',
    help: 'Share of what the model would do by itself in what is learned. With 0.35 it acts on a fact where it is surer than 0.54 and else looks it up; that harms fewer tasks and helps fewer. 0: none, as in the paper.',
  }),
  ptcServe: choice(
    { 'if-better': 'if it does better, by a 95 % interval', always: 'in any case' },
    'if-better',
    {
      title: 'Serve it',
      help: "Held-out tasks are played again without and with it, in today's prompt.",
    },
  ),
  ptcOtherwise: choice({ pause: 'the run rests', 'go-on': 'it goes on' }, 'pause', {
    title: 'If training fails',
    help: 'The run rests until it is resumed, or goes on without.',
  }),
  capacity: whole(1, 256, 20, {
    title: 'Lessons kept',
    help: 'Of each kind; the oldest goes first.',
    unit: 'lessons',
    source: 'EvoSC, section 4.1',
  }),
  shown: whole(1, 64, 8, {
    title: 'Lessons shown',
    help: 'Of each kind, the most relevant ones.',
    unit: 'lessons',
    source: 'EvoSC, section 4.3',
  }),
  lessonLength: z
    .enum(['context', '300', '600', '1200'])
    .default('context')
    .meta({
      title: 'Length of a lesson',
      help: 'At most so many characters.',
      choices: {
        context: 'by the context of the model: 300, above 8,192 tokens 600, from 32,768 on 1,200',
        '300': '300 characters',
        '600': '600 characters',
        '1200': '1,200 characters',
      },
    }),
  dialogs: choice({ complete: 'with all they were shown', short: 'without a place they share' }, 'short', {
    title: 'Attempts it reads',
    help: 'What the environment showed with the task (tables, policy, files) is read in full, or only where attempts are from different places.',
    source: 'EvoSC, eq. 3 and 4: complete interaction dialogs',
  }),
  contrast: whole(1, 16, 2, {
    title: 'Successes compared',
    help: 'Most successes a failure is held against.',
    unit: 'attempts',
    source: 'EvoSC, eq. 3',
  }),
})
