const test = require('node:test')
const assert = require('node:assert')
const { Emitter } = require('../lib')

test('tells every listener, in order, until it is taken off', () => {
  const bell = new Emitter()
  const heard = []
  bell.on('ring', (who) => heard.push('a ' + who))
  const off = bell.on('ring', (who) => heard.push('b ' + who))
  assert.strictEqual(bell.emit('ring', 'Ada'), 2)
  off()
  bell.emit('ring', 'Bo')
  assert.deepStrictEqual(heard, ['a Ada', 'b Ada', 'a Bo'])
})
