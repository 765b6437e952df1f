/** Makes what a key stands for at its first use and keeps it; what failed is made again at the next. */
export function promiseCache<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const cache = new Map<Key, Promise<Value>>()
  return (key) => {
    const value = cache.get(key) ?? make(key)
    cache.set(key, value)
    value.catch(() => cache.delete(key))
    return value
  }
}
