/** What is published to everybody: the nouns of the calls. */
export const articleKinds = ['news', 'highlights', 'pages'] as const
export type ArticleKind = (typeof articleKinds)[number]
