const test = require('node:test')
const assert = require('node:assert')
const { parse, format } = require('../src/csv')

test('plain rows', () => {
  assert.deepStrictEqual(parse('a,b\r\n1,\n'), [['a', 'b'], ['1', '']])
  assert.strictEqual(format([['a,b', 'c']]), '"a,b",c\n')
})
