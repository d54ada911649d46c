/// The version of the tool, stored with every run.
package let evalrunVersion = "0.1.0"
