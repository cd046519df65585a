/** The JSON objects that the server answers and the command line prints, each declared once. */
@NullMarked
package io.holdfast.json.objects;

import org.jspecify.annotations.NullMarked;
