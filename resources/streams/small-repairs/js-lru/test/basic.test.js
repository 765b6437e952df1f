const test = require('node:test')
const assert = require('node:assert')
const { Cache } = require('../lib/cache')

test('keeps what it is given, up to the limit', () => {
  const cache = new Cache(2).set('a', 1).set('b', 2).set('c', 3)
  assert.strictEqual(cache.has('a'), false)
  assert.strictEqual(cache.get('c'), 3)
  assert.throws(() => new Cache(0), RangeError)
})
