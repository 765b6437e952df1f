const test = require('node:test')
const assert = require('node:assert')
const { format, parse } = require('../src/duration')

test('minutes and hours', () => {
  assert.strictEqual(format(65), '1:05')
  assert.strictEqual(format(3725), '1:02:05')
  assert.strictEqual(parse('1:02:05'), 3725)
  assert.throws(() => parse('soon'), TypeError)
})
