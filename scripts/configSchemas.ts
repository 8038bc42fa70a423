/**
 * Writes the JSON schemas of CONFIG_FILE and PRODUCTS_FILE from the definitions that the venue validates with. An editor
 * checks and completes a file by them. Run: `npx tsx scripts/configSchemas.ts`
 */
import { writeFileSync } from 'node:fs'
import * as z from 'zod'
import type { $ZodType } from 'zod/v4/core'
import { productRow } from '../server/market/index.ts'
import { operatorConfig } from '../server/start/operatorConfig.ts'

const folder = new URL('../deploy/', import.meta.url)

/** The text of a schema's file. What a schema cannot say, such as the contrast of colours, only the venue checks. */
const schemaText = (schema: $ZodType, title: string): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) }, null, 2)}\n`

export const schemaFiles = [
  {
    file: new URL('config.schema.json', folder),
    text: schemaText(operatorConfig, 'CONFIG_FILE of the venue'),
  },
  {
    file: new URL('products.schema.json', folder),
    text: schemaText(z.array(productRow).min(1), 'PRODUCTS_FILE of the venue'),
  },
]

if (process.argv[1] === import.meta.filename)
  for (const { file, text } of schemaFiles) writeFileSync(file, text)
