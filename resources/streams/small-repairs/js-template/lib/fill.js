'use strict'

/** Replaces each `{{name}}` of a template by its value. */
function fill(template, values) {
  let text = template
  for (const name of Object.keys(values)) {
    if (!values[name]) continue
    text = text.replace(new RegExp('{{' + name + '}}', 'g'), values[name])
  }
  return text
}

/** The names of all fields, each once, in order. */
function fields(template) {
  const names = []
  for (const [, name] of template.matchAll(/{{(\w+)}}/g)) if (!names.includes(name)) names.push(name)
  return names
}

module.exports = { fill, fields }
