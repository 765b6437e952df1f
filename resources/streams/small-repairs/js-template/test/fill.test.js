const test = require('node:test')
const assert = require('node:assert')
const { fill, fields } = require('../lib/fill')

test('fills fields and names them', () => {
  assert.strictEqual(fill('Hi {{name}}, {{name}}!', { name: 'Ada' }), 'Hi Ada, Ada!')
  assert.deepStrictEqual(fields('{{b}} {{a}} {{b}}'), ['b', 'a'])
})
