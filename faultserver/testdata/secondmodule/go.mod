module example.org/secondmodule

go 1.26.0

require labctl v0.0.0

replace labctl => ../../..
