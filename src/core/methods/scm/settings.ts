import { defineSettings, onOff, whole } from '../../ground/settings'

export const SETTINGS = defineSettings('scm', 'Self-controlled memory', {
  controller: onOff(true, {
    title: 'Ask whether memory is needed',
    help: 'The model decides for each task.',
    source: 'SCM, memory controller',
  }),
  flash: onOff(true, {
    title: 'Flash memory',
    help: 'Always show the newest attempt.',
    source: 'SCM, flash memory',
  }),
  activation: onOff(true, {
    title: 'Activation memory',
    help: 'Show earlier attempts that are near and recent.',
    source: 'SCM, activation memory',
  }),
  summaries: onOff(true, {
    title: 'Summaries',
    help: 'Shorten long attempts.',
    source: 'SCM, memory summarisation',
  }),
  summaryOver: whole(0, 100_000, 300, {
    title: 'Summary above',
    help: 'Length above which an attempt gets a summary.',
    unit: 'tokens',
    source: 'SCM’s code',
  }),
  budget: whole(1, 1_000_000, 2500, {
    title: 'Room for memory',
    help: 'What recalled attempts may take together.',
    unit: 'tokens',
    source: 'SCM’s code',
  }),
})
