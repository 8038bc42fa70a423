// The least that serves beside a database: Fastify and PGlite on the folder DATA_DIR, which the first start creates.
import { PGlite } from '@electric-sql/pglite'
import fastify from 'fastify'

const database = await PGlite.create(process.env.DATA_DIR)
await database.query('SELECT 1')
const app = fastify()
app.get('/healthz', () => Promise.resolve({ status: 'serving' }))
process.once('SIGTERM', () => void app.close().then(() => database.close()))
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST })
