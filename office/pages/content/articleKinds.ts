/** What is published to everybody: the nouns of the calls, and of the members' pages. */
export const articleKinds = ['news', 'highlights'] as const
export type ArticleKind = (typeof articleKinds)[number]
