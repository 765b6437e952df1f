import { z } from 'zod'
import { defineSettings } from '../../ground/settings'

export const SETTINGS = defineSettings('dynamic-cheatsheet', 'Cheatsheet', {
  every: z.number().int().min(1).max(100).default(1).meta({
    title: 'Write anew every',
    help: 'After how many attempts the cheatsheet is written anew.',
    unit: 'attempts',
    source: 'Dynamic Cheatsheet, algorithm 1: every one',
  }),
})
