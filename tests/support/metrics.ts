import type { FastifyInstance } from 'fastify'
import { deskKey } from './testVenue.ts'

/** What `/metrics` serves: every sample by its name and labels, without the label of the node. */
export async function scrape(app: FastifyInstance): Promise<Map<string, number>> {
  const answer = await app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${deskKey}` },
  })
  if (answer.statusCode !== 200) throw new Error(`/metrics answered ${answer.statusCode}`)
  const samples = answer.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(' ')
      const name = line
        .slice(0, at)
        .replace(/,?node="[^"]*"/, '')
        .replace('{}', '')
      return [name, Number(line.slice(at + 1).replace('Inf', 'Infinity'))]
    }),
  )
}
