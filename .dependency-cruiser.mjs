/** The import rules that are about the whole graph. The rules about single imports are in eslint.config.js. */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two modules that import each other can only be understood together. Move the shared part out.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/messages/compiled' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
