import { createConfig, lintFromString } from '@redocly/openapi-core'

/**
 * Everything that the linter says about an OpenAPI or AsyncAPI document, errors and warnings, by its recommended rules.
 * @param text the document as JSON
 */
export async function lintDescription(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // `/orders/by-key/:key` is as long as `/orders/:id/proof`; ids are UUIDs, so no request is meant for both.
      'no-ambiguous-paths': 'off',
      // A call without `security` is public, as OpenAPI says; readers tell the two by it.
      'security-defined': 'off',
    },
  })
  const problems = await lintFromString({ source: text, config, absoluteRef: 'description.json' })
  return problems.map(
    ({ severity, ruleId, message, location: [place] }) =>
      `${severity} ${ruleId} at ${place?.pointer ?? ''}: ${message}`,
  )
}
