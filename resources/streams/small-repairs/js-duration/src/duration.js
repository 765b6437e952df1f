'use strict'
const pad = require('./pad')

/** Seconds as `m:ss`, or `h:mm:ss` from an hour on; rounded to whole seconds. */
function format(seconds) {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = Math.round(seconds % 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
}

/** The seconds of a duration as `format` writes it. */
function parse(text) {
  const parts = text.split(':').map(Number)
  if (parts.length < 2 || parts.some(Number.isNaN)) throw new TypeError(`not a duration: ${text}`)
  return parts.reduce((sum, part) => sum * 60 + part, 0)
}

module.exports = { format, parse }
