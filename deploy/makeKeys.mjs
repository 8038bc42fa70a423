// Makes the keys of a venue, once: node deploy/makeKeys.mjs FOLDER NODE… (the names of its nodes, such as leader-a edge-a).
// keys.env is the same on every node; NODE.nk is the secret by which NATS knows that node; nats-users.conf is for NATS;
// postgres.env has the passwords of the database's roles, for whoever sets it up.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUser } from '@nats-io/nkeys'

const [folder, ...nodes] = process.argv.slice(2)
if (folder === undefined || nodes.length === 0 || nodes.some((name) => !/^[\w-]+$/.test(name))) {
  process.stderr.write('usage: node makeKeys.mjs FOLDER NODE…\n')
  process.exit(2)
}
if (existsSync(join(folder, 'keys.env'))) {
  process.stderr.write(`${folder} has keys already: nothing was written\n`)
  process.exit(2)
}
mkdirSync(folder, { recursive: true, mode: 0o700 })
const write = (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600, flag: 'wx' })
const users = nodes.map((name) => ({ name, key: createUser() }))
for (const { name, key } of users) write(`${name}.nk`, `${Buffer.from(key.getSeed()).toString()}\n`)
const publicKeys = users.map(({ name, key }) => `  { nkey: ${key.getPublicKey()} } # ${name}\n`)
write('nats-users.conf', `users = [\n${publicKeys.join('')}]\n`)
const writeSecrets = (file, ...names) =>
  write(file, names.map((name) => `${name}=${randomBytes(32).toString('hex')}\n`).join(''))
writeSecrets('keys.env', 'VENUE_KEY', 'DESK_KEY', 'METRICS_KEY')
writeSecrets('postgres.env', 'POSTGRES_PASSWORD', 'REPLICA_PASSWORD')
