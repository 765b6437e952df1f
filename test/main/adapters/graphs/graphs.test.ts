import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from 'oxigraph'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraphs } from '../../../../src/main/adapters/graphs/graphs'

const TRIPLES = [
  ['m.goat', 'food.milk.cheeses', 'm.feta'],
  ['m.goat', 'food.milk.cheeses', 'm.brie'],
] as const
const NS = 'http://rdf.freebase.com/ns/'
const NTRIPLES = TRIPLES.map((triple) => `${triple.map((id) => `<${NS}${id}>`).join(' ')} .`).join('\n')
const QUERY = `SELECT DISTINCT ?x WHERE { <${NS}m.goat> <${NS}food.milk.cheeses> ?x } ORDER BY ?x`

let folder: string
let server: Server
let address: string
/** What the endpoint answers instead of an answer. */
let instead: { status: number; text: string } | null = null
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-graphs-'))
  const store = new Store()
  store.load(NTRIPLES, { format: 'application/n-triples' })
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      if (instead) {
        response.writeHead(instead.status).end(instead.text)
        return
      }
      const query = new URLSearchParams(body).get('query') ?? ''
      const answer = store.query(query, { results_format: 'application/sparql-results+json' })
      response.writeHead(200, { 'content-type': 'application/sparql-results+json' }).end(String(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sparql`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const offline = () => createGraphs(() => false)

describe('a graph of one’s own', () => {
  it.each([
    ['dump.nt', NTRIPLES],
    ['dump.nq', NTRIPLES.replaceAll(' .', ' <http://x/g> .')],
    ['dump.ttl', `@prefix ns: <${NS}> . ns:m.goat ns:food.milk.cheeses ns:m.feta, ns:m.brie .`],
    [
      'dump.rdf',
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ns="${NS}"><rdf:Description rdf:about="${NS}m.goat"><ns:food.milk.cheeses rdf:resource="${NS}m.feta"/><ns:food.milk.cheeses rdf:resource="${NS}m.brie"/></rdf:Description></rdf:RDF>`,
    ],
  ])('is read from %s', async (name, text) => {
    await writeFile(join(folder, name), text)
    const graph = await offline().at(join(folder, name))
    expect(await graph.select(QUERY)).toEqual(['m.brie', 'm.feta'])
  })

  it.each([
    ['broken.nt', '<a> <b', /broken\.nt cannot be read: .+/],
    ['dump.csv', 'a,b', /no RDF dump by its name/],
    ['gone.nt', null, /There is no file/],
  ])('is refused in words when it is %s', async (name, text, words) => {
    if (text !== null) await writeFile(join(folder, name), text)
    const refused = offline().at(join(folder, name))
    await expect(refused).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(offline().at(join(folder, name))).rejects.toThrow(words)
  })

  it('is asked at an address of this machine while the network is off', async () => {
    const graph = await offline().at(address)
    expect(await graph.select(QUERY)).toEqual(['m.brie', 'm.feta'])
  })

  it('is not asked elsewhere while the network is off', async () => {
    await expect(offline().at('http://192.0.2.1/sparql')).rejects.toMatchObject({ code: 'NETWORK_OFF' })
  })

  it.each([
    [{ status: 500, text: 'out of order' }, /status 500: out of order/],
    [{ status: 302, text: '' }, /status 302/],
    [{ status: 200, text: '<html>' }, /not answer as SPARQL has it/],
  ])('says what an endpoint answered instead: %j', async (given, words) => {
    const graph = await offline().at(address)
    instead = given
    const failed = await graph.select(QUERY).catch((error: unknown) => error)
    instead = null
    expect(failed).toMatchObject({ code: 'TASK_SERVER' })
    expect(String(failed)).toMatch(words)
  })
})
