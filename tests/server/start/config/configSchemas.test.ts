import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { schemaFiles } from '../../../../scripts/configSchemas.ts'
import { readSettings } from '../../../../server/start/config.ts'
import { projectRoot } from '../../../../server/platform/paths.ts'
import { nearestName } from '../../../../server/platform/schemaIssues.ts'

const json = (file: string): unknown => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))

describe('the JSON schemas of the operator’s files', () => {
  it.each(schemaFiles)('$file.pathname is made from the definition', ({ file, text }) => {
    expect(existsSync(file)).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8')), 'npx tsx scripts/configSchemas.ts writes it').toEqual(
      JSON.parse(text),
    )
  })

  it.each([
    ['deploy/config.schema.json', ['server/config.json', 'deploy/config.example.json']],
    ['deploy/products.schema.json', ['server/products.json', 'server/products.live.json']],
  ])('%s accepts %j', (schema, files) => {
    const validate = new Ajv2020({ strict: false }).compile(json(schema) as object)
    for (const file of files) {
      validate(json(file))
      expect([file, validate.errors]).toEqual([file, null])
    }
  })

  it('has an example that the venue starts with', () => {
    const { operatorConfig } = readSettings({ CONFIG_FILE: join(projectRoot, 'deploy/config.example.json') })
    expect(operatorConfig).toMatchObject({
      name: 'Northwind Trade',
      company: { name: 'Northwind Trade Ltd.' },
    })
  })
})

describe('the nearest known name', () => {
  const known = ['durations', 'seconds', 'names', 'priceDecimals']
  it.each([
    ['durration', 'durations'],
    ['secnods', 'seconds'],
    ['pricedecimals', 'priceDecimals'],
    ['colour', undefined],
    ['x', undefined],
  ])('of %s is %s', (name, nearest) => expect(nearestName(name, known)).toBe(nearest))
})
