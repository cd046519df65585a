/** What the linter checks in the dashboard's scripts; types are checked by tsc. */
import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      'consistent-return': 'error',
      curly: 'error',
      'default-case-last': 'error',
      eqeqeq: 'error',
      'no-alert': 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-param-reassign': 'error',
      'no-promise-executor-return': 'error',
      'no-script-url': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-template-curly-in-string': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unused-vars': ['error', { args: 'all', caughtErrors: 'all' }],
      'no-use-before-define': ['error', { functions: false }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      radix: 'error',
    },
  },
];
