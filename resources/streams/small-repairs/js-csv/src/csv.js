'use strict'

/** Rows of a CSV text, as arrays of strings. A line break at the end makes no row. */
function parse(text) {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split(',').map(unquote))
}

function unquote(field) {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1) : field
}

/** Rows as CSV; fields are quoted where they have to be. */
function format(rows) {
  return rows.map((row) => row.map(quote).join(',')).join('\n') + '\n'
}

function quote(field) {
  return /[",\n]/.test(field) ? '"' + field.replace(/"/g, '""') + '"' : field
}

module.exports = { parse, format }
